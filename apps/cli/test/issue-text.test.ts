import { describe, expect, it } from 'vitest';

import { issueText } from '../src/issue-text.js';

describe('issueText', () => {
  it('says the place once, whether or not the message begins with it', () => {
    expect(issueText({ code: 'c', path: '$.a', message: '$.a: is wrong' })).toBe('c at $.a: is wrong');
    expect(issueText({ code: 'c', path: '$.a', message: 'is wrong' })).toBe('c at $.a: is wrong');
    expect(issueText({ code: 'c', path: '$', message: '$.a: is wrong' })).toBe('c at $: $.a: is wrong');
  });
});
