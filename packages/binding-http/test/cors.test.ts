import { describe, expect, it } from 'vitest';

import { corsHeaders, preflightHeaders } from '../src/cors.js';

describe('corsHeaders', () => {
  it('are none without an allowed origin', () => {
    expect(corsHeaders(undefined)).toBeUndefined();
  });

  it('name the origin, and never allow credentials or everybody', () => {
    for (const headers of [corsHeaders('https://c.example'), preflightHeaders('https://c.example')]) {
      expect(headers).toMatchObject({ 'access-control-allow-origin': 'https://c.example', vary: 'origin' });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });
});
