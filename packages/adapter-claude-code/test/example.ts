import { ClaudeCodeAdapter } from '../src/index.js';

const adapter = new ClaudeCodeAdapter({ host: 'laptop' });

export function onHook(body: string): string[] {
  return adapter.handle(JSON.parse(body)).map(({ json }) => json);
}
