import { request as httpRequest } from 'node:http';

/** Largest hook payload that is passed on, in bytes. */
export const MAX_HOOK_BYTES = 16_777_216;
/** How long the shim waits for a collector on this machine, in milliseconds. */
export const DEFAULT_HOOK_TIMEOUT_MS = 250;
/** How long it waits for one elsewhere. */
export const DEFAULT_REMOTE_HOOK_TIMEOUT_MS = 2000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Passes one hook call from standard input to the collector. Whatever happens, it ends soon, with exit code 0 and without a word
 * on standard output: a collector that is away must not stop an agent. `AEP_HOOK_DEBUG=1` says on standard error what went wrong.
 */
export async function runHookShim(agent: string, env: Environment = process.env): Promise<void> {
  try {
    const target = hookUrl(agent, env);
    const body = await readInput(process.stdin);
    await post(target, body, env);
  } catch (error) {
    if (env.AEP_HOOK_DEBUG === '1') {
      const { plain } = await import('./terminal.js');
      process.stderr.write(`aep hook: ${plain(error instanceof Error ? error.message : String(error))}\n`);
    }
  }
  process.exitCode = 0;
}

function hookUrl(agent: string, env: Environment): URL {
  const base = env.AEP_URL === undefined || env.AEP_URL === '' ? 'http://127.0.0.1:8787' : env.AEP_URL;
  return new URL(`hooks/${encodeURIComponent(agent)}`, base.endsWith('/') ? base : `${base}/`);
}

async function readInput(input: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_HOOK_BYTES) throw new Error(`the payload has more than ${MAX_HOOK_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}

async function post(url: URL, body: Buffer, env: Environment): Promise<void> {
  const request = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
  const local = url.hostname === 'localhost' || url.hostname === '[::1]' || url.hostname.startsWith("127.");
  const given = Number(env.AEP_HOOK_TIMEOUT_MS ?? '');
  const timeoutMs = given >= 1 && given <= 60_000 ? given : local ? DEFAULT_HOOK_TIMEOUT_MS : DEFAULT_REMOTE_HOOK_TIMEOUT_MS;
  const token = env.AEP_TOKEN;
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    // One bound on everything: name look-up, connection, body and answer.
    const timer = setTimeout(() => {
      outgoing.destroy(new Error(`no answer from ${url.host} within ${timeoutMs} ms`));
    }, timeoutMs);
    const done = (error?: Error): void => {
      clearTimeout(timer);
      if (error === undefined) resolve();
      else reject(error);
    };
    outgoing.on('error', done);
    outgoing.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        outgoing.destroy();
        done();
      } else if (env.AEP_HOOK_DEBUG === '1') {
        response.once('data', (said: Buffer) => {
          outgoing.destroy();
          done(new Error(`${url.host} answered ${status}: ${said.toString('utf8', 0, 500)}`));
        });
        response.once('end', () => {
          done(new Error(`${url.host} answered ${status}`));
        });
      } else {
        // What the answer says is for nobody here; reading it would keep the agent waiting.
        outgoing.destroy();
        done(new Error(`${url.host} answered ${status}`));
      }
    });
    outgoing.end(body);
  });
}
