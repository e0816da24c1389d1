import { beforeEach, describe, expect, it } from 'vitest';
import { createPeerRegistry, type PeerRegistry } from './peer-registry.ts';

let time: number;
let registry: PeerRegistry;
beforeEach(() => {
  time = 1_000_000;
  registry = createPeerRegistry('eu', () => new Date(time));
});

const seen = (...copies: (string | [string, number])[]) =>
  copies.map((copy) =>
    typeof copy === 'string' ? { copyId: copy, idleMs: 0 } : { copyId: copy[0], idleMs: copy[1] },
  );
const look = (...copies: (string | [string, number])[]) => registry.update(seen('eu', ...copies));
const NOBODY = { left: [], unregistered: [] };

describe('the registry', () => {
  it('knows whom it has heard, never itself, and names who is there unheard', () => {
    expect(look('a', 'b')).toEqual({ left: [], unregistered: ['a', 'b'] });
    expect(registry.recordMessage('a')).toBe('new');
    expect(registry.recordMessage('a')).toBe('known');
    expect(look('a', 'b')).toEqual({ left: [], unregistered: ['b'] });
    expect(registry.list()).toEqual(['a']);
  });

  it('misses a copy when its session has been away for a while, not when it comes back at once', () => {
    registry.recordMessage('a');
    expect(look()).toEqual(NOBODY);
    time += 1_000;
    expect(look('a')).toEqual(NOBODY);
    time += 1_000;
    expect(look()).toEqual(NOBODY);
    time += 1_500;
    expect(look()).toEqual({ left: ['a'], unregistered: [] });
    expect(look()).toEqual(NOBODY);
    expect(registry.list()).toEqual([]);
  });

  it('misses a copy whose session is open but which has not stirred for long', () => {
    registry.recordMessage('a');
    look(['a', 14_000]);
    time += 2_000;
    expect(look(['a', 16_000]).left).toEqual([]);
    time += 1_500;
    expect(look(['a', 17_500]).left).toEqual(['a']);
  });

  it('does not believe late words of one that has gone, until its session is there again', () => {
    registry.recordMessage('a');
    expect(registry.leave('a')).toBe(true);
    expect(registry.leave('a')).toBe(false);
    expect(registry.recordMessage('a')).toBe('gone');
    expect(look('a')).toEqual({ left: [], unregistered: ['a'] });
    expect(registry.recordMessage('a')).toBe('new');
  });

  it('gives the others time to come back after a fault that has hit everybody', () => {
    registry.recordMessage('a');
    registry.recordMessage('b');
    registry.startGrace();
    look();
    time += 2_900;
    expect(look('b').left).toEqual([]);
    time += 200;
    expect(look('b').left).toEqual(['a']);
  });

  it('misses a copy also when the clock is set back meanwhile', () => {
    registry.recordMessage('a');
    registry.startGrace();
    look();
    time -= 100_000;
    expect(look().left).toEqual(['a']);
  });
});
