import { buildEvent } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { createCorrelation } from '../src/index.js';
import { commandOf } from './support.js';

const command = commandOf({ id: 'c1', type: 'control.attention.respond', subject: 'r1', data: { answer: { option: 'a' } } }).event;
const event = (type: string, id: string, cause?: string, session = 's1') => buildEvent({ type, id, cause, session, data: undefined });

describe('a correlation', () => {
  it.each([
    ['the command', 'c1', { command: 'c1', role: 'outcome', via: 'command' }],
    ['its ack', 'k1', { command: 'c1', role: 'outcome', via: 'ack' }],
  ])('relates an outcome whose cause is %s [C-059, C-058]', (_, cause, link) => {
    const it = createCorrelation();
    it.push(command);
    expect(it.push(event('control.accepted', 'k1', 'c1'))).toEqual({ command: 'c1', role: 'ack', via: 'command' });
    expect(it.push(event('run.cancelled', 'o1', cause))).toEqual(link);
  });

  it.each(['c1', 'k1'])('follows attention.answered, caused by %s, to attention.resolved and nowhere else [C-059, C-051]', (cause) => {
    const it = createCorrelation();
    it.push(command);
    it.push(event('control.accepted', 'k1', 'c1'));
    it.push(event('attention.answered', 'a1', cause));
    expect(it.push(event('attention.resolved', 'd1', 'a1'))).toEqual({ command: 'c1', role: 'outcome', via: 'answered' });
    expect(it.push(event('tool.requested', 't1', 'a1'))).toBeUndefined();
    expect(it.push(event('attention.resolved', 'd2', 'd1'))).toBeUndefined();
  });

  it('takes more than one hop for no link: an outcome of an outcome is another story', () => {
    const it = createCorrelation();
    it.push(command);
    it.push(event('progress.status', 'p1', 'c1'));
    expect(it.push(event('progress.status', 'p2', 'p1'))).toBeUndefined();
  });

  it('stays within the session that was addressed', () => {
    const it = createCorrelation();
    it.push(command);
    expect(it.push(event('control.accepted', 'k1', 'c1', 's2'))).toBeUndefined();
    expect(it.push(event('run.cancelled', 'o1', 'c1', 's2'))).toBeUndefined();
    expect(it.push(event('run.cancelled', 'o1', 'k1'))).toBeUndefined();
  });

  it('reads no cause of something else as one of its own', () => {
    const it = createCorrelation();
    expect(it.push(event('run.cancelled', 'o1', 'c1'))).toBeUndefined();
    expect(it.push(event('control.accepted', 'k1', 'c1'))).toBeUndefined();
    expect(it.push(event('run.cancelled', 'o2', 'k1'))).toBeUndefined();
    expect(it.push(buildEvent({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined, cause: 'c1' }))).toBeUndefined();
    it.push(command);
    expect(it.push(commandOf({ cause: 'c1' }).event)).toBeUndefined();
  });

  it('forgets the oldest beyond its bound', () => {
    const it = createCorrelation({ maxCommands: 1 });
    it.push(command);
    it.push(commandOf({ id: 'c2' }).event);
    expect(it.push(event('run.cancelled', 'o1', 'c1'))).toBeUndefined();
    expect(it.push(event('run.cancelled', 'o2', 'c2'))).toMatchObject({ command: 'c2' });
  });
});
