import { expect, it } from 'vitest';
import type { Caller } from '../kernel/caller-context.ts';
import { createCallLimits } from './call-limits.ts';

const callerOf = (person: string, program: string): Caller => ({
  role: 'authenticated',
  claims: { sub: person, client_id: program },
});

it('counts the calls of each program, and those of all programs of a person together', async () => {
  const count = createCallLimits({ program: 2, person: 3 });
  expect(await count(callerOf('ana', 'a'), 2)).toBeUndefined();
  expect(await count(callerOf('ana', 'a'), 1)).toBeGreaterThanOrEqual(1);
  expect(await count(callerOf('ana', 'b'), 1)).toBeUndefined();
  expect(await count(callerOf('ana', 'c'), 1)).toBeGreaterThanOrEqual(1);
  expect(await count(callerOf('bia', 'a'), 1)).toBeUndefined();
});
