import { describe, expect, it } from 'vitest';

import { APPLICATION_CODE, dispatch, encodeFrame, ERROR_CODE, exchangeOutcome, NO_REPLY, transferOutcome, type Dispatch, type Registration, type TransferKind } from '../src/index.js';
import { toHex } from './support.js';

const REGISTRATIONS: Registration[] = ['puller', 'subscriber', 'acceptor', 'queue', 'replier', 'publisher', undefined];
const stop = (code: number): Dispatch => ({ action: 'refuse', code, stop: code }) as Dispatch;
const exchange = (stopCode: number, error: number): Dispatch => ({ action: 'refuse', code: stopCode, stop: stopCode, reply: { kind: 'ERROR', code: error } }) as Dispatch;

describe('a uni stream with DATA', () => {
  it('is taken by a puller or subscriber, and by a raw acceptor [W-369, W-370]', () => {
    for (const path of ['puller', 'subscriber', 'acceptor'] as const) expect(dispatch('uni', path)).toEqual({ action: 'accept', answers: false });
  });

  it('is taken by a queue, without a confirm, unless it is full [W-371, W-372]', () => {
    expect(dispatch('uni', 'queue')).toEqual({ action: 'accept', answers: false });
    expect(dispatch('uni', 'queue', { queueFull: true })).toEqual(stop(7));
  });

  it('is stopped UNSUPPORTED by a replier and by a publisher [W-365, W-373, W-374]', () => {
    expect(dispatch('uni', 'replier')).toEqual(stop(9));
    expect(dispatch('uni', 'publisher')).toEqual(stop(9));
  });

  it('is stopped UNKNOWN_ENDPOINT where nothing is [W-364, W-375]', () => {
    expect(dispatch('uni', undefined)).toEqual(stop(8));
  });

  it('is stopped REJECTED where the peer may not [W-363]', () => {
    expect(dispatch('uni', 'puller', { authorization: 'rejected' })).toEqual(stop(7));
  });
});

describe('an exchange', () => {
  it('is taken by a replier and by a raw acceptor [W-376]', () => {
    for (const path of ['replier', 'acceptor'] as const) expect(dispatch('bidi', path)).toEqual({ action: 'accept', answers: true });
  });

  it('is taken by a queue and confirmed with achieved 2, unless the queue is full [W-228, W-377, W-378]', () => {
    const taken = dispatch('bidi', 'queue');
    expect(taken).toEqual({ action: 'accept', answers: true, confirm: { kind: 'DATA', achieved: 2 } });
    if (taken.action === 'accept') expect(toHex(encodeFrame(taken.confirm!))).toBe('570103a10802');
    expect(dispatch('bidi', 'queue', { queueFull: true })).toEqual({ action: 'refuse', code: 7, reply: { kind: 'ERROR', code: 2 } });
  });

  it('is refused UNSUPPORTED on both halves by a puller, subscriber or publisher [W-379]', () => {
    for (const path of ['puller', 'subscriber', 'publisher'] as const) expect(dispatch('bidi', path)).toEqual(exchange(9, 3));
  });

  it('is refused UNKNOWN_ENDPOINT on both halves where nothing is [W-380]', () => {
    expect(dispatch('bidi', undefined)).toEqual(exchange(8, 1));
  });
});

describe('over a local transport', () => {
  it('the path alone decides, and whether it answers with it [W-015, W-016, W-017, W-018]', () => {
    expect(REGISTRATIONS.map((path) => dispatch('local', path))).toEqual([
      { action: 'accept', answers: false },
      { action: 'accept', answers: false },
      { action: 'accept', answers: true },
      { action: 'accept', answers: true, confirm: { kind: 'DATA', achieved: 2 } },
      { action: 'accept', answers: true },
      { action: 'refuse', code: 9 },
      { action: 'refuse', code: 8 },
    ]);
  });

  it('a refusal goes out where the path replies, and without a code where it does not (OPEN-27) [W-019, W-059]', () => {
    expect(dispatch('local', 'replier', { authorization: 'rejected' })).toEqual({ action: 'refuse', code: 7, reply: { kind: 'ERROR', code: 2 } });
    expect(dispatch('local', 'puller', { authorization: 'rejected' })).toEqual({ action: 'refuse', code: 7 });
    expect(dispatch('local', 'queue', { queueFull: true })).toEqual({ action: 'refuse', code: 7, reply: { kind: 'ERROR', code: 2 } });
    for (const path of REGISTRATIONS) expect(dispatch('local', path, { authorization: 'rejected' })).not.toHaveProperty('stop');
  });
});

describe('a refusal', () => {
  const all = (['uni', 'bidi', 'local'] as const).flatMap((kind) =>
    REGISTRATIONS.flatMap((path) => ([undefined, 'rejected', 'hidden'] as const).flatMap((authorization) => [false, true].map((queueFull) => dispatch(kind, path, { authorization, queueFull })))),
  );

  it('costs the transfer and never the connection [W-131, W-381]', () => {
    for (const outcome of all) {
      if (outcome.action === 'refuse') expect([APPLICATION_CODE.rejected, APPLICATION_CODE.unknownEndpoint, APPLICATION_CODE.unsupported]).toContain(outcome.code);
    }
  });

  it('is never another service than the one that was asked for [W-382]', () => {
    const served: Record<TransferKind, Registration[]> = { uni: ['puller', 'subscriber', 'acceptor', 'queue'], bidi: ['acceptor', 'queue', 'replier'], local: ['puller', 'subscriber', 'acceptor', 'queue', 'replier'] };
    for (const kind of ['uni', 'bidi', 'local'] as const) expect(REGISTRATIONS.filter((path) => dispatch(kind, path).action === 'accept')).toEqual(served[kind]);
  });

  it('of a peer is REJECTED, or looks exactly like a path that is not there [W-387, W-388]', () => {
    expect(dispatch('bidi', 'replier', { authorization: 'rejected' })).toEqual({ action: 'refuse', code: 7, reply: { kind: 'ERROR', code: 2 } });
    for (const kind of ['uni', 'bidi', 'local'] as const) {
      for (const path of REGISTRATIONS) expect(dispatch(kind, path, { authorization: 'hidden', queueFull: true })).toEqual(dispatch(kind, undefined));
    }
  });

  it('of a path without a queue is that of any path that is not there [W-386]', () => {
    expect(dispatch('bidi', undefined, { queueFull: true })).toEqual(dispatch('bidi', undefined));
    expect(dispatch('uni', undefined, { queueFull: true })).toEqual(stop(8));
  });

  it('does not depend on anything that a header claims [W-389]', () => {
    // Stream, registration, and the decision on the proved peer: there is no way in for a header.
    expect(dispatch.length).toBe(2);
    expect(dispatch('uni', 'puller', { producer: 'x', endpoint: '/t', pid: 0 } as object)).toEqual({ action: 'accept', answers: false });
  });
});

describe('codes', () => {
  it('of the transport are ten [W-345, W-346]', () => {
    expect(APPLICATION_CODE).toEqual({ noError: 0, internal: 1, protocolViolation: 2, canceled: 3, negotiationFailed: 4, limitExceeded: 5, shutdown: 6, rejected: 7, unknownEndpoint: 8, unsupported: 9 });
  });

  it('of ERROR are others, by the same names [W-347]', () => {
    for (const name of ['unknownEndpoint', 'rejected', 'unsupported', 'internal'] as const) expect(ERROR_CODE[name]).not.toBe(APPLICATION_CODE[name]);
    expect(APPLICATION_CODE).not.toHaveProperty('noReply');
  });
});

describe('the outcome of an exchange', () => {
  it('is its reply', () => {
    expect(exchangeOutcome({ kind: 'DATA', achieved: 2 })).toEqual({ state: 'replied', reply: { kind: 'DATA', achieved: 2 } });
  });

  it('is a failure for every ERROR, whatever its code [W-254, W-255]', () => {
    const named = { 1: 'unknownEndpoint', 2: 'rejected', 3: 'unsupported', 4: 'internal', 5: 'noReply' };
    for (const [code, error] of Object.entries(named)) expect(exchangeOutcome({ kind: 'ERROR', code: Number(code) })).toMatchObject({ state: 'failed', error });
    for (const code of [0, 6, 99, 2n ** 64n - 1n]) expect(exchangeOutcome({ kind: 'ERROR', code })).toMatchObject({ state: 'failed', error: 'unknown' });
  });

  it('is not read from the message of an ERROR [W-251]', () => {
    for (const message of ['UNKNOWN_ENDPOINT', '{"code":1}', 'ok', 'retry']) expect(exchangeOutcome({ kind: 'ERROR', code: 4, message })).toMatchObject({ state: 'failed', error: 'internal' });
  });

  it('is the ERROR, although the request was received [W-360]', () => {
    expect(exchangeOutcome({ kind: 'ERROR', code: 2 }, true)).toMatchObject({ state: 'failed', error: 'rejected' });
  });

  it('is open after the receipt, which speaks for the transport alone [W-357]', () => {
    expect(exchangeOutcome(undefined, true)).toEqual({ state: 'open', received: true });
    expect(exchangeOutcome(undefined)).toEqual({ state: 'open', received: false });
  });

  it('is NO_REPLY where it is dropped without an answer [W-367, W-392]', () => {
    expect(toHex(encodeFrame(NO_REPLY))).toBe('570203a10005');
    expect(exchangeOutcome(NO_REPLY)).toMatchObject({ state: 'failed', error: 'noReply' });
  });
});

it('a one-way transfer may be received and refused [W-357, W-361]', () => {
  expect(transferOutcome(true, APPLICATION_CODE.rejected)).toEqual({ received: true, refused: 7 });
  expect(transferOutcome(true)).toEqual({ received: true, refused: undefined });
  expect(transferOutcome(false, 8)).toEqual({ received: false, refused: 8 });
});
