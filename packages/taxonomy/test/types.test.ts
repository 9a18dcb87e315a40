import type { JsonObject } from '@aepkit/envelope';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { payloadOf, registry, type CoreType, type FieldSpec, type PayloadOf, type Payloads, type PayloadType } from '../src/index.js';
import { event } from './events.js';

describe('the types of payloads', () => {
  it('know members, which of them are required, and their values', () => {
    const completed: PayloadOf<'tool.completed'> = { tool: { name: 'Bash', call_id: 'c' }, duration_ms: 5, result: 'text', cost: { currency: 'EUR', total: 1 }, 'gen_ai.usage.input_tokens': 1 };
    expectTypeOf(completed.tool.name).toEqualTypeOf<string>();
    expectTypeOf(completed.result).toEqualTypeOf<JsonObject | string | undefined>();
    expectTypeOf<PayloadOf<'run.cancelled'>['by']>().toEqualTypeOf<'user' | 'control' | 'policy' | 'shutdown' | undefined>();
    expectTypeOf<PayloadOf<'attention.requested'>['fields']>().toEqualTypeOf<readonly FieldSpec[] | undefined>();
    expectTypeOf<PayloadOf<'attention.requested'>['respond_via']>().toEqualTypeOf<readonly ('control' | 'oob')[] | undefined>();
    expectTypeOf<PayloadOf<'control.pause'>>().toEqualTypeOf<JsonObject>();

    // @ts-expect-error A misspelt type.
    type Misspelt = PayloadOf<'tool.complete'>;
    // @ts-expect-error A reserved type has no payload.
    type Reserved = PayloadOf<'message.user.submitted'>;
    // @ts-expect-error A misspelt member.
    const member: PayloadOf<'tool.completed'> = { tool: { name: 'Bash' }, durationMs: 5 };
    // @ts-expect-error A required member is missing.
    const required: PayloadOf<'tool.denied'> = { tool: { name: 'Bash' } };
    // @ts-expect-error A member of another type.
    const wrong: PayloadOf<'tool.completed'> = { tool: { name: 'Bash' }, duration_ms: '5' };
    // @ts-expect-error A value that is not listed.
    const value: PayloadOf<'session.ended'> = { reason: 'exit' };
    // @ts-expect-error Absent is absent, not undefined.
    const absent: PayloadOf<'session.ended'> = { reason: undefined };
    // @ts-expect-error Payloads are read, not changed.
    completed.duration_ms = 6;
    expectTypeOf<[Misspelt, Reserved]>();
    expect([member, required, wrong, value, absent]).toHaveLength(5);
  });

  it('go where an Event takes its data', () => {
    const payloads: Payloads[PayloadType][] = [{ reason: 'rejected' }];
    const data: JsonObject | undefined = payloads[0];
    expect(data).toBeDefined();
    expectTypeOf<PayloadOf<PayloadType>>().toExtend<JsonObject>();
  });

  it('cover the registry', () => {
    expectTypeOf(registry[0]!.type).toEqualTypeOf<CoreType>();
    expectTypeOf<Exclude<CoreType, PayloadType>>().toEqualTypeOf<'message.user.submitted' | 'message.agent.replied'>();
  });
});

describe('payloadOf', () => {
  it('gives data of the type that is asked for, where it follows its schema', () => {
    const failed = event('tool.failed', { data: { tool: { name: 'Bash' }, error: {}, x_note: 1 } });
    expectTypeOf(payloadOf(failed, 'tool.failed')).toEqualTypeOf<PayloadOf<'tool.failed'> | undefined>();
    expect(payloadOf(failed, 'tool.failed')).toBe(failed.data);
    expect(payloadOf(failed, 'tool.completed')).toBeUndefined();
    expect(payloadOf(event('tool.failed'), 'tool.failed')).toBeUndefined();
    expect(payloadOf(event('tool.failed', { data: { tool: { name: 'Bash' } } }), 'tool.failed')).toBeUndefined();
  });
});
