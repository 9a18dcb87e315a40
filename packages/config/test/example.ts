import { resolveSettings } from '../src/index.js';

const settings = {
  port: { type: 'integer', env: 'APP_PORT', default: 8787, min: 0, max: 65_535, help: 'Port to listen on.' },
} as const;

export const settle = (env: Record<string, string | undefined>) => resolveSettings(settings, { env, envPrefix: 'APP_' });
