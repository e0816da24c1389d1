import { describe, expect, it } from 'vitest';
import { findTimeStep } from './totp.ts';

/** The secret of RFC 6238, appendix B, in base32; its codes there have eight digits, the last six are ours. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('of second %i is %s, and of its half minute', (second, code, step) => {
    const find = (at: number) => findTimeStep(SECRET, code, new Date(at * 1000));
    expect(find(second)).toBe(step);
    // A clock that is half a minute off still counts, and the step is the code's, not that of now.
    expect([find(second + 30), find(second - 30)]).toEqual([step, step]);
    expect([find(second + 90), find(second - 90)]).toEqual([undefined, undefined]);
  });
});
