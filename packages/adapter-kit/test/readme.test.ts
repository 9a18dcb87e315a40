import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { parseEvent } from '@aepkit/envelope';
import { StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import * as api from '../src/index.js';
import { onHook } from './example.js';
import { adapter as qwen } from './qwen-code.js';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const read = (name: string): string => readFileSync(path(name), 'utf8');

describe('README', () => {
  it('starts with the program that runs here', () => {
    expect(read('../README.md')).toContain(read('./example.ts').replace("'../src/index.js'", "'@aepkit/adapter-kit'").trim());
    expect(onHook('{"session_id":"s","hook_event_name":"Prompt"}').map((json) => parseEvent(json).event.type)).toEqual(['run.started']);
  });

  it('shows an adapter of about fifty lines, which makes a valid session of real hooks', () => {
    const code = read('./qwen-code.ts').replace("'../src/index.js'", "'@aepkit/adapter-kit'").trim();
    expect(read('../README.md')).toContain(code);
    expect(code.split('\n').length).toBeLessThan(55);
    const adapter = qwen.create({ host: 'box', redactor: { text: () => '-', value: (value) => value } });
    const call = { tool_name: 'run_shell_command', tool_input: { command: 'touch x' }, tool_use_id: 'toolu_1' };
    const validator = new StreamValidator();
    const types = [
      ['SessionStart', { cwd: '/x', source: 'startup' }],
      ['Notification', { notification_type: 'auth_success', message: 'signed in' }],
      ['UserPromptSubmit', { prompt: 'Do it' }],
      ['PermissionRequest', { ...call, tool_use_id: undefined }],
      ['PreToolUse', call],
      ['PostToolUse', { ...call, tool_response: 'done' }],
      ['PostToolBatch', { tool_calls: [{ tool_use_id: 'toolu_1', status: 'success' }] }],
      ['UserPromptSubmit', { prompt: '' }],
      ['PreToolUse', { ...call, tool_use_id: 'toolu_2' }],
      ['PostToolUseFailure', { ...call, tool_use_id: 'toolu_2', error: 'no' }],
      ['MessageDisplay', { delta: 'x' }],
      ['Stop', { last_assistant_message: 'Done.' }],
      ['Notification', { notification_type: 'idle_prompt', message: 'waiting' }],
      ['SessionEnd', { reason: 'prompt_input_exit' }],
    ].flatMap(([hook_event_name, members]) =>
      adapter.handle({ ...(members as object), session_id: 's', hook_event_name }).map(({ event }) => {
        expect([validatePayload(event), validator.push(event)]).toEqual([[], []]);
        return event.type;
      }),
    );
    expect(validator.end()).toEqual([]);
    expect(types).toEqual([
      'session.started', 'progress.status', 'run.started', 'attention.requested', 'tool.requested', 'attention.answered', 'attention.resolved', 'tool.completed', 'tool.requested', 'tool.failed',
      'x.qwen-code.session.message_display', 'run.finished', 'attention.requested', 'attention.resolved', 'session.ended',
    ]);
  });

  it('names every error code, and stays short', () => {
    const codes: Record<api.AdapterErrorCode, true> = { 'invalid-payload': true, 'invalid-record': true, 'invalid-key': true, 'invalid-definition': true, 'unknown-session': true };
    for (const name of Object.keys(codes)) expect(read('../README.md')).toContain(`\`${name}\``);
    expect(read('../README.md').length).toBeLessThan(8192);
  });
});

it('exports what it says', () => {
  expect(Object.keys(api).sort()).toEqual([
    'AdapterError', 'DEFAULT_CEILING', 'DEFAULT_CEILINGS', 'DEFAULT_MAX_CONTENT_BYTES', 'DEFAULT_MAX_SESSIONS', 'MAX_CALLS', 'MAX_CLOSED_RUNS', 'MAX_FORM_ITEMS',
    'MAX_IDENTIFIER_LENGTH', 'MAX_OPEN', 'MAX_PAYLOAD_DEPTH', 'MAX_STEPS', 'RECORD_VERSION', 'answered', 'callsEnded', 'defineAdapter', 'event', 'formRequest', 'isCallKey',
    'isExpendable', 'isToken', 'mayBeSilent', 'parseRecord', 'permission', 'permissionPrompt', 'questionAnswers', 'questionForm', 'request', 'runCancelled', 'runFailed', 'runFinished',
    'runStarted', 'schemaForm', 'sessionEnded', 'sessionStarted', 'toolCompleted', 'toolDenied', 'toolFailed', 'toolRequested', 'vendorType',
  ]);
  expect([api.DEFAULT_CEILING, api.DEFAULT_CEILINGS, api.DEFAULT_MAX_CONTENT_BYTES, api.DEFAULT_MAX_SESSIONS, api.MAX_OPEN, api.RECORD_VERSION]).toEqual(['metadata', { attention: 'redacted' }, 262_144, 1000, 1000, 2]);
});

it('reaches no Node built-in', async () => {
  const result = await build({ entryPoints: [path('../src/index.ts')], bundle: true, write: false, platform: 'browser', format: 'esm' });
  expect(result.outputFiles[0]?.text).toContain('session.started');
});
