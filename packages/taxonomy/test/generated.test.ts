import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { gates } from '../src/generated/gates.js';
import { validators } from '../src/generated/validators.js';
import { payloadSchemas, registry, type PayloadSchema } from '../src/index.js';
// @ts-expect-error The generator is plain JavaScript.
import { generate } from '../scripts/generate.mjs';

const current = (name: string): string => readFileSync(new URL(`../src/generated/${name}`, import.meta.url), 'utf8');

describe('generated code', () => {
  const files = generate(payloadSchemas, registry) as Record<string, string>;

  it.each(['payloads.ts', 'gates.ts', 'validators.ts'])('%s is what the table gives today', (name) => {
    expect(files[name]).toBe(current(name));
  });

  it('evaluates nothing and requires nothing', () => {
    expect(current('validators.ts')).not.toMatch(/\brequire\(|\beval\(|new Function/);
  });

  it('has no failing helper left out: a keyword without a code fails the generator', () => {
    const schema: PayloadSchema = { type: 'object', properties: { a: { type: 'string', pattern: 'x' } as PayloadSchema } };
    expect(() => generate({ 'tool.denied': schema }, registry) as unknown).toThrow(/pattern|ajv/);
  });

  it('refuses gated members inside a gated member, which a gate would not look for', () => {
    const inner = { type: 'string', 'x-aep-capture': 'full' } as const;
    const schema: PayloadSchema = { type: 'object', properties: { a: { type: 'object', properties: { b: inner }, 'x-aep-capture': 'redacted' } } };
    expect(() => generate({ 'tool.denied': schema }, registry) as unknown).toThrow(/gated members inside/);
  });

  it('refuses two different objects of one title', () => {
    const object = (type: 'string' | 'number'): PayloadSchema => ({ title: 'Twin', type: 'object', properties: { a: { type } } });
    const schema: PayloadSchema = { type: 'object', properties: { a: object('string'), b: object('number') } };
    expect(() => generate({ 'tool.denied': schema }, registry) as unknown).toThrow(/Twin/);
  });

  it('has a check and a gate for each schema with members, and for no other type', () => {
    const withMembers = Object.entries(payloadSchemas)
      .filter(([, schema]) => schema.properties !== undefined)
      .map(([type]) => type);
    expect([...gates.keys()]).toEqual(withMembers);
    expect([...validators.keys()]).toEqual(withMembers);
  });
});
