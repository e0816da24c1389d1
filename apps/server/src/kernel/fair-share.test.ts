import { describe, expect, it } from 'vitest';
import { createFairShare, type Release, ShareExhausted } from './fair-share.ts';

/** Six places, a clock that stands still until it is moved, and a list of who got a place. */
function openShare(places = 6) {
  let time = 0;
  const share = createFairShare({ places, patienceMs: 0, now: () => time });
  const pass = (ms: number) => {
    time += ms;
  };
  const begun: string[] = [];
  const take = (caller: string | undefined, isCostly = false, name = caller ?? 'system') => {
    const taken = share.take(caller, isCostly);
    if (typeof taken === 'function') {
      begun.push(name);
      return { release: taken };
    }
    const place: { release: Release } = { release: () => undefined };
    void taken.then((release) => {
      begun.push(name);
      place.release = release;
    });
    return place;
  };
  return { share, begun, take, pass };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the share of a pool', () => {
  it('leaves places for others, however much one caller asks for', () => {
    const { take, begun } = openShare();
    for (let asked = 0; asked < 100; asked += 1) take('greedy');
    take('somebody');
    take('somebody else');
    expect(begun).toEqual(['greedy', 'greedy', 'greedy', 'greedy', 'somebody', 'somebody else']);
  });

  it('lets a caller hold all places whose work has been quick, and no longer once it is not', async () => {
    const { take, begun, pass } = openShare(3);
    pass(1);
    const first = take('quick');
    pass(2);
    first.release();
    const places = [1, 2, 3, 4].map(() => take('quick'));
    expect(begun).toHaveLength(4);
    pass(100);
    places[0]?.release();
    take('somebody');
    await settled();
    expect(begun.slice(4)).toEqual(['somebody']);
  });

  it('holds costly work of all callers together to a sixth', () => {
    const { take, begun } = openShare();
    for (let caller = 0; caller < 64; caller += 1) take(`attacker ${caller}`, true);
    for (const person of ['a', 'b', 'c', 'd']) take(person);
    expect(begun).toEqual(['attacker 0', 'a', 'b', 'c', 'd']);
  });

  it('holds whoever had long work of late like costly work, and forgets it', () => {
    const { take, begun, pass } = openShare(3);
    const first = take('slow');
    pass(3_000);
    first.release();
    take('costly', true);
    take('slow');
    expect(begun).toEqual(['slow', 'costly']);
    const other = openShare(3);
    const work = other.take('slow');
    other.pass(3_000);
    work.release();
    other.pass(30_000);
    other.take('costly', true);
    other.take('slow', false, 'slow, later');
    expect(other.begun).toEqual(['slow', 'costly', 'slow, later']);
  });

  it('counts what is running: long work is long before it has ended', () => {
    const { take, begun, pass } = openShare(6);
    take('slow');
    take('slow');
    pass(1_000);
    take('costly', true);
    take('slow', false, 'a third');
    expect(begun).toEqual(['slow', 'slow', 'costly']);
  });

  it('gives a place that becomes free to whoever has used the least of late', async () => {
    const { take, begun, pass } = openShare(1);
    const heavy = take('heavy');
    pass(100);
    take('heavy', false, 'heavy again');
    take('light');
    heavy.release();
    await settled();
    expect(begun).toEqual(['heavy', 'light']);
  });

  it('lets the server’s own work go first, and bounds it by the places alone', async () => {
    const { take, begun } = openShare(2);
    const one = take('a');
    take(undefined);
    take('b');
    take(undefined, false, 'system, waiting');
    one.release();
    await settled();
    expect(begun).toEqual(['a', 'system', 'system, waiting']);
  });

  it('tells whoever holds too much that it is their own work they wait for', async () => {
    const share = createFairShare({ places: 4, patienceMs: 20 });
    await share.take('attacker', true);
    await expect(share.take('another', true)).rejects.toBeInstanceOf(ShareExhausted);
    await share.take('greedy', false);
    await share.take('greedy', false);
    await expect(share.take('greedy', false)).rejects.toBeInstanceOf(ShareExhausted);
  });

  it('refuses whoever waited too long, as the driver would, and forgets the request', async () => {
    const share = createFairShare({ places: 1, patienceMs: 20 });
    const release = await share.take('a', false);
    await expect(share.take('b', false)).rejects.toThrow('timeout exceeded when trying to connect');
    expect(share.waiting()).toBe(0);
    release();
    release();
    const again = share.take('b', false);
    expect(typeof again).toBe('function');
    // Given back twice, it was one place all the same.
    const third = share.take('c', false);
    await expect(third).rejects.toThrow('timeout exceeded');
  });
});
