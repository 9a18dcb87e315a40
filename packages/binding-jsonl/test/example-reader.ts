import { createReadStream } from 'node:fs';
import { readJsonl } from '../src/reader.js';

export async function count(path: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const item of readJsonl(createReadStream(path))) {
    counts.set(item.type, (counts.get(item.type) ?? 0) + 1);
  }
  return counts;
}
