import { describe, expect, it } from 'vitest';

import { CATEGORIES, isAgentScoped, isCommand, isEventType, isForeignEmitter, isVendorType } from '../src/index.js';

const COMMANDS = ['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume', 'x.acme.control.reload', 'x.a-c_1.control.a.b'];
const SEQUENCED = ['control.accepted', 'control.rejected', 'control.cancelled', 'control.attention', 'attention.requested', 'x.acme.session.control', 'x.acme.controls.a', 'x.acme.agent.a', 'tool.completed'];

describe('isEventType', () => {
  it('takes a category of the thirteen and at least one token [E-062]', () => {
    expect(CATEGORIES).toEqual(['agent', 'session', 'run', 'progress', 'tool', 'delegation', 'attention', 'resource', 'error', 'state', 'assessment', 'message', 'control']);
    for (const category of CATEGORIES) {
      for (const type of [`${category}.a`, `${category}.a_b.c9`, `${category}._`, `${category}.some_future_member`]) expect(isEventType(type)).toBe(true);
      for (const type of [category, `${category}.`, `.${category}`, `${category}..a`, `${category}.a.`, `${category}.A`, `${category}.a-b`, `${category}s.a`, `${category}.a b`, `${category}.a\n`, ` ${category}.a`, category.toUpperCase() + '.a', `${category}.é`]) {
        expect(isEventType(type), type).toBe(false);
      }
    }
    for (const type of ['banana.peeled', 'stream.delta', 'x', '', '.', 'tool', 'dev.aep.tool.completed']) expect(isEventType(type)).toBe(false);
  });

  it('takes a hyphen in the vendor token only, and at least four segments [E-064]', () => {
    for (const type of ['x.claude-code.session.config_change', 'x.acme.session.a.b.c', 'x.-.a.b', 'x._.nocategory.b', 'x.a.x.x']) {
      expect(isEventType(type)).toBe(true);
      expect(isVendorType(type)).toBe(true);
    }
    for (const type of ['x.acme.foo', 'x.acme.a-b.c', 'x.acme.a.b-c', 'x.acme', 'x.', 'x..a.b', 'x.acme..b', 'x.acme.a.', 'x.Acme.a.b', 'y.acme.a.b', 'x.acme.a.b\n', 'X.acme.a.b']) {
      expect(isEventType(type), type).toBe(false);
      expect(isVendorType(type), type).toBe(false);
    }
    expect(isVendorType('tool.completed')).toBe(false);
  });
});

describe('the scope of a type', () => {
  it('is the agent for agent.* and for nothing else', () => {
    for (const type of ['agent.started', 'agent.idle', 'agent.a.b']) expect(isAgentScoped(type)).toBe(true);
    for (const type of ['agents.a', 'x.acme.agent.foo', 'session.started', 'agent']) expect(isAgentScoped(type)).toBe(false);
  });

  it('is foreign for the commands and attention.routed', () => {
    for (const type of [...COMMANDS, 'attention.routed']) expect(isForeignEmitter(type), type).toBe(true);
    for (const type of [...SEQUENCED, 'agent.started', 'attention.routed.x', 'x.acme.control', 'x.acme.control.']) expect(isForeignEmitter(type), type).toBe(false);
  });

  it('a command is every foreign type but attention.routed', () => {
    for (const type of COMMANDS) expect(isCommand(type)).toBe(true);
    for (const type of [...SEQUENCED, 'attention.routed']) expect(isCommand(type)).toBe(false);
  });
});
