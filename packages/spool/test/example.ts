import { openSpool } from '../src/index.js';

export async function keep(folder: string, line: string): Promise<void> {
  const spool = await openSpool({ path: folder });
  await spool.append([{ text: line }]);
}

export async function deliver(folder: string, send: (lines: readonly string[]) => Promise<void>): Promise<void> {
  await (await openSpool({ path: folder })).drain(send);
}
