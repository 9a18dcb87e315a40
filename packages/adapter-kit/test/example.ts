import { defineAdapter, runFinished, runStarted } from '../src/index.js';

export const adapter = defineAdapter({
  agent: 'my-agent',
  hooks: { Prompt: (call) => runStarted({ prompt: call.text('prompt') }), Done: () => runFinished() },
});
const mine = adapter.create({ host: 'laptop' });
export const onHook = (body: string): string[] => mine.handle(JSON.parse(body)).map(({ json }) => json);
