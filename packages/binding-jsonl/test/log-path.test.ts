import { describe, expect, it } from 'vitest';

import { AGENT_LOG_NAME, decodeName, LOG_EXTENSION, logPath } from '../src/writer.js';

describe('logPath', () => {
  it('is a folder per agent and a file per session [B-015]', () => {
    expect(logPath('/r', { agent: 'claude', session: 's1' })).toBe('/r/claude/s1.jsonl');
  });

  it('keeps Events without a session in a file of the agent that no session can have', () => {
    expect(logPath('/r', { agent: 'claude' })).toBe('/r/claude/%agent.jsonl');
    expect(decodeName(AGENT_LOG_NAME.slice(0, -LOG_EXTENSION.length))).toBeUndefined();
    expect(logPath('/r', { agent: 'claude', session: '%agent' })).toBe('/r/claude/%25agent.jsonl');
  });

  it('stays below the root whatever agent and session are called [B-207]', () => {
    const hostile = ['../../../../outside/pwned', '..', '.', '/etc', 'a/b', 'CON', 'x\u0000y', 'a'.repeat(5_000), '\\\\host\\share', 'c:'];
    const paths = hostile.flatMap((agent) => hostile.map((session) => logPath('/r', { agent, session })));
    expect(new Set(paths).size).toBe(hostile.length ** 2);
    for (const path of paths) expect(path).toMatch(/^\/r\/[^/\0\\]+\/[^/\0\\]+\.jsonl$/);
    for (const path of paths) for (const part of path.split('/').slice(2)) expect(part.length).toBeLessThanOrEqual(200);
  });
});
