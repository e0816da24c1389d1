import { describe, expect, it } from 'vitest';
import { createStatementNames } from './name-statements.ts';

describe('createStatementNames', () => {
  it('names a text when it comes back, and keeps the name', () => {
    const nameOf = createStatementNames();
    expect([nameOf('select 1', 1), nameOf('select 1', 1)]).toEqual([undefined, undefined]);
    const name = nameOf('select 1', 1);
    expect(name).toBeDefined();
    expect(nameOf('select 1', 1)).toBe(name);
  });

  it('gives no name from one schema to the next', () => {
    const nameOf = createStatementNames();
    const use = (version: number) => [1, 2, 3].map(() => nameOf('select 1', version)).at(-1);
    const [first, second] = [use(1), use(2)];
    expect(second).not.toBe(first);
  });

  it('gives no name to what was planned for an earlier schema, and no name twice', () => {
    const nameOf = createStatementNames();
    const use = (text: string, version: number) => [1, 2, 3].map(() => nameOf(text, version)).at(-1);
    const name = use('select 1', 2);
    expect(use('select 2', 1)).toBeUndefined();
    expect(use('select 3', 2)).not.toBe(name);
    expect(use('select 1', 2)).toBe(name);
  });

  it('stops naming before a connection drowns in prepared statements', () => {
    const nameOf = createStatementNames();
    const names = new Set<string>();
    for (let shape = 0; shape < 3000; shape += 1) {
      for (let use = 0; use < 5; use += 1) {
        const name = nameOf(`select ${shape}`, 1);
        if (name !== undefined) names.add(name);
      }
    }
    expect(names.size).toBe(400);
  });
});
