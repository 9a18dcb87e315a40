import { describe, expect, expectTypeOf, it } from 'vitest';

import type { AgentType, EmitterErrorCode, Session, SessionType, VendorType } from '../src/index.js';
import { collect } from './support.js';

describe('types', () => {
  it('let no misspelt type and no wrong member compile', async () => {
    const { emitter } = collect();
    const session = await emitter.session();
    const never = (): void => {
      session.emit('tool.requested', { data: { tool: { name: 'Bash' }, args: { a: [1, null] } } });
      session.emit('x.my-vendor.session.thing');
      session.emit('x.my-vendor.session.thing', { data: { anything: [1, { goes: true }] } });
      session.emit('progress.status');
      emitter.emitAgent('agent.idle');
      // @ts-expect-error A misspelt type.
      session.emit('tool.requestd', { data: { tool: { name: 'Bash' } } });
      // @ts-expect-error A vendor type without a category.
      session.emit('x.vendor.thing');
      // @ts-expect-error A reserved type.
      session.emit('message.user.submitted');
      // @ts-expect-error A type of the agent.
      session.emit('agent.idle');
      // @ts-expect-error A command.
      session.emit('control.cancel', { data: { scope: 'run' } });
      // @ts-expect-error A type that routers emit.
      session.emit('attention.routed', { subject: 'x' });
      // @ts-expect-error A type of a session.
      emitter.emitAgent('progress.status');
      // @ts-expect-error Required data is missing.
      session.emit('tool.requested');
      // @ts-expect-error Required data is missing.
      session.emit('tool.requested', { subject: 'Bash' });
      // @ts-expect-error A required member is missing.
      session.emit('tool.requested', { data: {} });
      // @ts-expect-error A misspelt member.
      session.emit('tool.requested', { data: { tool: { name: 'Bash' }, arguments: {} } });
      // @ts-expect-error A misspelt member further down.
      session.emit('tool.requested', { data: { tool: { name: 'Bash', callId: 'x' } } });
      // @ts-expect-error A member of another type.
      session.emit('tool.completed', { data: { tool: { name: 'Bash' }, duration_ms: '5' } });
      // @ts-expect-error A value that is not listed.
      session.emit('session.ended', { data: { reason: 'exit' } });
      // @ts-expect-error A run Event without its run.
      session.emit('run.finished', { data: { duration_ms: 1 } });
      // @ts-expect-error A run Event without its run.
      session.emit('run.finished');
      // @ts-expect-error A step without its name.
      session.emit('run.step.started', { run: 'r' });
      // @ts-expect-error The end of a request without its id.
      session.emit('attention.resolved', { data: { resolution: 'auto' } });
      // @ts-expect-error An ack without its command.
      session.emit('control.accepted', {});
      // @ts-expect-error A misspelt attribute.
      session.emit('progress.status', { subjekt: 'x' });
      // @ts-expect-error A severity that is none.
      session.emit('progress.status', { severity: 'fatal' });
      // @ts-expect-error An extension attribute that is none.
      session.emit('progress.status', { extensions: { acme: { deep: 1 } } });
      // @ts-expect-error A member without a JSON form.
      session.emit('x.acme.session.thing', { data: { at: new Date() } });
      // @ts-expect-error An Event about the agent has no run.
      emitter.emitAgent('agent.idle', { run: 'r' });
      // @ts-expect-error Required data is missing.
      emitter.emitAgent('agent.health');
    };
    expect(never).toBeTypeOf('function');
  });

  it('are what they say', () => {
    expectTypeOf<AgentType>().toEqualTypeOf<'agent.presence' | 'agent.idle' | 'agent.health' | 'agent.heartbeat'>();
    expectTypeOf<'control.accepted'>().toExtend<SessionType>();
    expectTypeOf<'x.a.b.c.d'>().toExtend<VendorType>();
    expectTypeOf<Session['emit']>().returns.toEqualTypeOf<string>();
    expectTypeOf<'queue-full'>().toExtend<EmitterErrorCode>();
  });
});
