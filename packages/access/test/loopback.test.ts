import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../src/index.js';

describe('a loopback host', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.0.0.2', '127.255.255.255', '::1', '[::1]', '0:0:0:0:0:0:0:1', '0000::0001', '::ffff:127.0.0.1', '::FFFF:7f00:1', '[::ffff:127.1.2.3]'])('is %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each(['', '0.0.0.0', '::', '[::]', '0', '127.1', '127.0.0.1.', '0127.0.0.1', '128.0.0.1', '27.0.0.1', '127.0.0.1.evil.example', '127.attacker.example', 'localhost.', 'localhost.evil.example', 'a.localhost', 'notlocalhost', 'localhost:80', '[::1]:80', '::2', '::ffff:128.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', 'http://localhost', ' localhost', 'localhost ', 'ip6-localhost', '\u0000'])('is not %j', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
