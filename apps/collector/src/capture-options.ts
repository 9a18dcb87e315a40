import { readFileSync } from 'node:fs';

import type { AdapterOptions, Redactor } from '@aepkit/adapter-kit';
import { type Capture, CAPTURES } from '@aepkit/envelope';
import { createRedactor, type RedactorOptions } from '@aepkit/redaction';

/** What is said of ceilings and redaction, wherever it comes from: the settings of the collector, or the environment of a hook. */
export interface CaptureSettings {
  /** A level, or `default`: `metadata`, and requests at `redacted`. */
  readonly capture: string;
  /** `category=level`. */
  readonly categories: readonly string[];
  /** Names of environment variables whose values are secret. */
  readonly secretVariables: readonly string[];
  /** File of secret values, one a line. */
  readonly secretFile: string | undefined;
  /** How tokens of one's own begin. */
  readonly tokenPrefixes: readonly string[];
  /** Home folders beside those of the usual form. */
  readonly homes: readonly string[];
  /** Whether e-mail addresses and telephone numbers go. */
  readonly pii: boolean;
}

/** A setting of capture that says nothing sensible. */
export class CaptureSettingError extends Error {
  override readonly name = 'CaptureSettingError';
}

/**
 * The options of an adapter for these settings (AEP-0003 §9.1, §9.4).
 *
 * @throws CaptureSettingError: what cannot be read must not show more.
 */
export function captureOptions(settings: CaptureSettings, env: Readonly<Record<string, string | undefined>> = process.env): Required<Pick<AdapterOptions, 'ceiling' | 'ceilings' | 'redactor'>> {
  const { capture, secretVariables, tokenPrefixes, homes, pii } = settings;
  const values = secretVariables.map((name) => env[name] ?? '').filter((value) => value !== '');
  const names = [...values, ...fileValues(settings.secretFile)];
  const redactor = redactorOf({ names, homes, pii, tokens: tokenPrefixes.map((prefix) => ({ prefix })) });
  return { ceiling: capture === 'default' ? undefined : level(capture, 'capture'), ceilings: ceilingsOf(settings.categories), redactor };
}

function redactorOf(options: RedactorOptions): Redactor {
  try {
    return createRedactor(options);
  } catch (error) {
    throw new CaptureSettingError(error instanceof Error ? error.message : 'the redaction cannot be set up so');
  }
}

function ceilingsOf(categories: readonly string[]): Record<string, Capture> {
  return Object.fromEntries(
    categories.map((text) => {
      const [, category, value] = /^([a-z0-9][a-z0-9_-]{0,63})=(.+)$/.exec(text) ?? [];
      if (category === undefined || value === undefined) throw new CaptureSettingError('a ceiling of a category is written category=level');
      return [category, level(value, `capture-category: ${category}`)];
    }),
  );
}

function level(text: string, name: string): Capture {
  const found = CAPTURES.find((capture) => capture === text);
  if (found === undefined) throw new CaptureSettingError(`${name} is one of ${CAPTURES.join(', ')}`);
  return found;
}

function fileValues(path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/).filter((line) => line !== '');
  } catch (error) {
    throw new CaptureSettingError(`redact-file: ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
  }
}
