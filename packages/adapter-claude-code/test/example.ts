import { adapter } from '../src/index.js';

const claude = adapter.create({ host: 'laptop' });

export function onHook(body: string): string[] {
  return claude.handle(JSON.parse(body)).map(({ json }) => json);
}
