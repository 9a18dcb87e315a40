import { adapter } from '../src/index.js';

const codex = adapter.create({ host: 'laptop' });

export function onHook(body: string): string[] {
  return codex.handle(JSON.parse(body)).map(({ json }) => json);
}
