import { createReadStream, existsSync } from 'node:fs';

import { FrameReader, WeidaError, type Frame, type FrameEvent, type StreamRole } from '@aepkit/weida-codec';

import { CliError, EXIT } from '../exit-code.js';
import { counted } from '../progress.js';
import { print, say } from '../stdout.js';
import { plain } from '../terminal.js';

/** Options of `aep weida inspect`. */
export interface WeidaInspectOptions {
  readonly stream?: StreamRole;
  readonly maxHeaderBytes?: number;
  readonly json?: boolean;
}

/** One line of the answer; `at` counts octets of the input. */
type Finding =
  | { readonly type: 'frame'; readonly at: number; readonly headerAt: number; readonly headerLength: number; readonly frame: Frame }
  | { readonly type: 'payload' | 'ignored'; readonly at: number; readonly length: number }
  | { readonly type: 'record'; readonly at: number; readonly level: number | bigint; readonly offset: number | bigint }
  | { readonly type: 'error'; readonly at: number; readonly code: string; readonly clause: string; readonly scope: string; readonly message: string };

const MAGIC = 0x57;

/**
 * Prints the frames of a stream of weida, with the octet where each begins, and what is wrong: a file, standard input (`-`), or hex
 * digits. A file may hold hex digits too, and one stream behind another where each ends with its header. Gives 0 where nothing is
 * wrong, 1 otherwise.
 */
export async function weidaInspect(input: string, options: WeidaInspectOptions): Promise<number> {
  const inspector = new Inspector(options);
  const show = async (findings: readonly Finding[]): Promise<boolean> => {
    const text = findings.map((finding) => (options.json === true ? JSON.stringify(finding, wireValue) : line(finding)));
    if (text.length > 0) await print(text.join('\n'));
    return findings.some(({ type }) => type === 'error');
  };
  let failed = false;
  for await (const chunk of open(input)) {
    failed = await show(inspector.push(chunk));
    if (failed) break;
  }
  if (!failed) failed = await show(inspector.end());
  say(`${counted(inspector.frames, 'frame')}, ${counted(inspector.octets, 'octet')}${failed ? ', then an error' : ''}`);
  return failed ? EXIT.failure : EXIT.ok;
}

class Inspector {
  readonly #options: WeidaInspectOptions;
  #reader: FrameReader;
  /** Where the stream that is being read begins. */
  #base = 0;
  #tail: { readonly type: 'payload' | 'ignored'; readonly at: number; length: number } | undefined;
  #headerEnd = 0;
  frames = 0;
  octets = 0;

  constructor(options: WeidaInspectOptions) {
    this.#options = options;
    this.#reader = this.#open();
  }

  push(chunk: Uint8Array): Finding[] {
    const findings: Finding[] = [];
    let rest = chunk;
    this.octets += chunk.length;
    while (rest.length > 0) {
      if (this.#tail?.type === 'ignored') {
        this.#tail.length += rest.length;
        break;
      }
      if (this.#reader.finished && rest[0] !== MAGIC) {
        this.#tail = { type: 'ignored', at: this.#base + this.#headerEnd, length: 0 };
        continue;
      }
      if (this.#reader.finished) {
        this.#base += this.#headerEnd;
        this.#reader = this.#open();
      }
      const before = this.#reader.position;
      // Octet by octet up to the payload: a reader gives out nothing of a piece that holds an error, and what stands before it is wanted.
      const piece = this.#tail === undefined ? rest.subarray(0, 1) : rest;
      try {
        for (const event of this.#reader.push(piece)) this.#take(event, findings);
      } catch (error) {
        findings.push(this.#failure(error));
        break;
      }
      rest = this.#reader.finished ? rest.subarray(this.#headerEnd - before) : rest.subarray(piece.length);
    }
    return findings;
  }

  end(): Finding[] {
    const findings: Finding[] = [];
    try {
      this.#reader.end();
    } catch (error) {
      findings.push(this.#failure(error));
    }
    return this.#tail === undefined ? findings : [this.#tail, ...findings];
  }

  #open(): FrameReader {
    return new FrameReader({ stream: this.#options.stream, maxHeaderBytes: this.#options.maxHeaderBytes });
  }

  #take(event: FrameEvent, findings: Finding[]): void {
    const at = this.#base + event.at;
    if (event.type === 'frame') {
      this.frames++;
      this.#headerEnd = event.at + event.length;
      findings.push({ type: 'frame', at: this.#base, headerAt: at, headerLength: event.length, frame: event.frame });
    } else if (event.type === 'record') findings.push({ type: 'record', at, ...event.record });
    else if (this.#tail === undefined) this.#tail = { type: 'payload', at, length: event.bytes.length };
    else this.#tail.length += event.bytes.length;
  }

  #failure(error: unknown): Finding {
    if (!(error instanceof WeidaError)) throw error;
    const { code, clause, scope, detail, offset } = error;
    return { type: 'error', at: this.#base + offset, code, clause, scope, message: detail };
  }
}

function line(finding: Finding): string {
  return plain(`${String(finding.at).padStart(8)}  ${words(finding)}`);
}

function words(finding: Finding): string {
  switch (finding.type) {
    case 'frame': {
      const { kind, ...fields } = finding.frame;
      return `${kind}, header of ${finding.headerLength} octets at ${finding.headerAt}: ${JSON.stringify(fields, wireValue)}`;
    }
    case 'record':
      return `record: level ${finding.level}, offset ${finding.offset}`;
    case 'payload':
      return `payload: ${finding.length} octets`;
    case 'ignored':
      return `ignored: ${finding.length} octets behind a frame that ends with its header`;
    case 'error':
      return `error: ${finding.code}: ${finding.message} [${finding.clause}], costs the ${finding.scope}`;
  }
}

/** Integers beyond 2^53-1 as text, octets as hex. */
function wireValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

/** The octets of the input: of a file where there is one of that name, else what the hex digits say. */
async function* open(input: string): AsyncGenerator<Uint8Array> {
  if (input !== '-' && !existsSync(input)) {
    const digits = input.replaceAll(/[\s:]/g, '');
    if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) throw new CliError(`neither a file nor hex digits, two for each octet: ${input}`, EXIT.usage);
    yield Buffer.from(digits, 'hex');
    return;
  }
  const source: AsyncIterable<Buffer> = input === '-' ? process.stdin : createReadStream(input);
  let text: boolean | undefined;
  let odd = '';
  for await (const chunk of source) {
    // No stream begins with a hex digit, so a text of them is taken for what it spells.
    text ??= /^[0-9a-f\s]*$/i.test(chunk.toString('latin1'));
    if (!text) {
      yield chunk;
      continue;
    }
    const digits = odd + chunk.toString('latin1').replaceAll(/\s/g, '');
    if (!/^[0-9a-f]*$/i.test(digits)) throw new CliError('the text holds more than hex digits');
    odd = digits.length % 2 === 0 ? '' : digits.slice(-1);
    yield Buffer.from(digits.slice(0, digits.length - odd.length), 'hex');
  }
  if (odd !== '') throw new CliError('the text ends inside an octet: its hex digits are odd in number');
}
