import { hostname } from 'node:os';
import { createEmitter, type Emitter } from '../src/index.js';
import { fileEpochs } from '../src/epoch-file.js';
import { httpTransport } from '../src/http.js';
import { spoolTransport } from '../src/spool.js';

export async function durable(url: string, folder: string): Promise<Emitter> {
  const transport = await spoolTransport({ path: `${folder}/spool`, transport: httpTransport({ url }) });
  return createEmitter({ agent: 'my-agent', host: hostname(), transport, epochs: fileEpochs({ path: `${folder}/epochs` }) });
}
