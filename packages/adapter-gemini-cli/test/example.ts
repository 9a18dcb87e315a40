import { adapter } from '../src/index.js';

const gemini = adapter.create({ host: 'laptop' });

export function onHook(body: string): string[] {
  return gemini.handle(JSON.parse(body)).map(({ json }) => json);
}
