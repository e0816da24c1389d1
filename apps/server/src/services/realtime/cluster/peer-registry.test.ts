import { beforeEach, describe, expect, it } from 'vitest';
import { createRoster, type Roster } from './peer-registry.ts';

let time: number;
let roster: Roster;
beforeEach(() => {
  time = 1_000_000;
  roster = createRoster('eu', () => new Date(time));
});

const seen = (...copies: (string | [string, number])[]) =>
  copies.map((copy) =>
    typeof copy === 'string' ? { copyId: copy, idleMs: 0 } : { copyId: copy[0], idleMs: copy[1] },
  );
const look = (...copies: (string | [string, number])[]) => roster.look(seen('eu', ...copies));
const NOBODY = { left: [], strangers: [] };

describe('the roster', () => {
  it('knows whom it has heard, never itself, and names who is there unheard', () => {
    expect(look('a', 'b')).toEqual({ left: [], strangers: ['a', 'b'] });
    expect(roster.hear('a')).toBe('new');
    expect(roster.hear('a')).toBe('known');
    expect(look('a', 'b')).toEqual({ left: [], strangers: ['b'] });
    expect(roster.list()).toEqual(['a']);
  });

  it('misses a copy when its session has been away for a while, not when it comes back at once', () => {
    roster.hear('a');
    expect(look()).toEqual(NOBODY);
    time += 1_000;
    expect(look('a')).toEqual(NOBODY);
    time += 1_000;
    expect(look()).toEqual(NOBODY);
    time += 1_500;
    expect(look()).toEqual({ left: ['a'], strangers: [] });
    expect(look()).toEqual(NOBODY);
    expect(roster.list()).toEqual([]);
  });

  it('misses a copy whose session is open but which has not stirred for long', () => {
    roster.hear('a');
    look(['a', 14_000]);
    time += 2_000;
    expect(look(['a', 16_000]).left).toEqual([]);
    time += 1_500;
    expect(look(['a', 17_500]).left).toEqual(['a']);
  });

  it('does not believe late words of one that has gone, until its session is there again', () => {
    roster.hear('a');
    expect(roster.leave('a')).toBe(true);
    expect(roster.leave('a')).toBe(false);
    expect(roster.hear('a')).toBe('gone');
    expect(look('a')).toEqual({ left: [], strangers: ['a'] });
    expect(roster.hear('a')).toBe('new');
  });

  it('gives the others time to come back after a fault that has hit everybody', () => {
    roster.hear('a');
    roster.hear('b');
    roster.forgive();
    look();
    time += 2_900;
    expect(look('b').left).toEqual([]);
    time += 200;
    expect(look('b').left).toEqual(['a']);
  });
});
