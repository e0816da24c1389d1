import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('lets those go first who have used less of late, what runs included', async () => {
    const { take, begun, pass } = openShare(3);
    const brief = take('brief');
    pass(20);
    brief.release();
    const places = ['runs', 'other', 'third'].map((caller) => take(caller));
    pass(100);
    take('runs', false, 'runs again');
    take('brief', false, 'brief again');
    places[2]?.release();
    await settled();
    places[1]?.release();
    await settled();
    expect(begun.slice(4)).toEqual(['brief again', 'runs again']);
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

describe('who is held', () => {
  /** A caller whose only work took so long, and another who has the one place for costly work of three. */
  function afterWorkOf(ms: number, pauseMs = 0) {
    const opened = openShare(3);
    opened.pass(1_000);
    const work = opened.take('caller', false, 'work');
    opened.pass(ms);
    work.release();
    opened.pass(pauseMs);
    opened.take('costly', true);
    opened.take('caller', false, 'next');
    return opened.begun.includes('next') ? 'begins' : 'waits';
  }

  it('is whoever had work longer than 150 ms, of which half is forgotten every two seconds', () => {
    expect([afterWorkOf(150), afterWorkOf(151)]).toEqual(['begins', 'waits']);
    expect([afterWorkOf(300, 2_000), afterWorkOf(302, 2_000)]).toEqual(['begins', 'waits']);
  });

  it('is known by the longest piece of late, not by the last', () => {
    const { take, begun, pass } = openShare(3);
    for (const ms of [400, 1]) {
      const work = take('caller', false, `${ms} ms`);
      pass(ms);
      work.release();
    }
    take('costly', true);
    take('caller', false, 'held');
    expect(begun).not.toContain('held');
  });

  it('forgets the longest piece while short ones go on', () => {
    const { take, begun, pass } = openShare(3);
    const work = take('caller');
    pass(400);
    work.release();
    for (let turn = 0; turn < 2; turn += 1) {
      pass(2_000);
      take('caller').release();
    }
    take('costly', true);
    take('caller', false, 'free again');
    expect(begun).toContain('free again');
  });

  it.each([
    [250, 'begins'],
    [251, 'waits'],
  ])('goes by the mean age of what runs: begun at 100 and 100 of %i ms, it %s', (at, expected) => {
    const { take, begun, pass } = openShare();
    pass(100);
    take('caller', false, 'first');
    take('caller', false, 'second');
    pass(at - 100);
    take('costly', true);
    take('caller', false, 'third');
    expect(begun.includes('third') ? 'begins' : 'waits').toBe(expected);
  });

  it('goes by the age of what still runs, once the rest has ended', () => {
    const { take, begun, pass } = openShare();
    pass(1_000);
    const first = take('caller', false, 'first');
    pass(100);
    take('caller', false, 'second');
    first.release();
    pass(20);
    take('costly', true);
    take('caller', false, 'third');
    expect(begun).toContain('third');
  });

  it('is not the server itself, whose costly work takes no place from others’', () => {
    const { take, begun } = openShare();
    take(undefined, true);
    take('costly', true);
    take(undefined, true, 'system again');
    expect(begun).toEqual(['system', 'costly', 'system again']);
  });

  it.each([
    [29, 'all'],
    [30, 'two thirds'],
  ])('whoever has had work of %i ms may hold %s of the places', (ms, expected) => {
    const { take, begun, pass } = openShare(3);
    pass(1);
    const first = take('caller');
    pass(ms);
    first.release();
    for (let asked = 0; asked < 3; asked += 1) take('caller');
    expect(begun.length - 1).toBe(expected === 'all' ? 3 : 2);
  });
});

describe('who goes next', () => {
  it('is who came first, of those who have used the same', async () => {
    const { take, begun } = openShare(1);
    const first = take('a');
    const waiting = ['b', 'c', 'd'].map((caller) => take(caller));
    for (const place of [first, ...waiting]) {
      place.release();
      await settled();
    }
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is nobody who would overtake what the same caller asked for before', async () => {
    const { take, begun } = openShare();
    const costly = take('attacker', true);
    take('a', true, 'a, costly');
    take('a', false, 'a, short');
    expect(begun).toEqual(['attacker']);
    costly.release();
    await settled();
    expect(begun).toEqual(['attacker', 'a, costly', 'a, short']);
  });

  it('of costly work begins when costly work has ended, and not before', async () => {
    const { take, begun } = openShare();
    const costly = take('a', true);
    take('b', true);
    take('c').release();
    await settled();
    expect(begun).toEqual(['a', 'c']);
    costly.release();
    await settled();
    expect(begun).toEqual(['a', 'c', 'b']);
    take('d', true);
    expect(begun).not.toContain('d');
  });

  /** Work of two callers, as `[from, to]`, in one of two places; then both wait for it. @returns who is admitted first */
  async function race(one: [number, number][], other: [number, number][], at: number) {
    const { take, begun, pass } = openShare(1);
    let time = 0;
    const until = (moment: number) => {
      pass(moment - time);
      time = moment;
    };
    const work = [
      ...one.map(([from, to]) => ({ caller: 'one', from, to })),
      ...other.map(([from, to]) => ({ caller: 'other', from, to })),
    ].sort((a, b) => a.from - b.from);
    for (const { caller, from, to } of work) {
      until(from);
      const place = take(caller, false, 'work');
      until(to);
      place.release();
    }
    until(at);
    const between = take('between');
    take('other');
    take('one');
    between.release();
    await settled();
    return begun.at(-1);
  }

  it('is who has used less of late: what is long ago counts for less, and each piece counts', async () => {
    expect(await race([[0, 50]], [[50, 150]], 200)).toBe('one');
    expect(await race([[0, 300]], [[4_300, 4_400]], 4_400)).toBe('one');
    const twice: [number, number][] = [
      [0, 400],
      [4_400, 4_401],
    ];
    expect(await race(twice, [[4_401, 4_601]], 4_601)).toBe('one');
    const often: [number, number][] = [
      [0, 60],
      [60, 120],
    ];
    expect(await race([[120, 200]], often, 200)).toBe('one');
    expect(await race([[1_000, 1_050]], [[0, 200]], 1_050)).toBe('one');
  });

  it('counts what runs by how long it has run', async () => {
    const { take, begun, pass } = openShare(3);
    take('long');
    pass(90);
    take('fresh');
    const last = take('last');
    take('long', false, 'long again');
    take('fresh', false, 'fresh again');
    pass(10);
    last.release();
    await settled();
    expect(begun.at(-1)).toBe('fresh again');
  });
});

describe('a pool that is exhausted', () => {
  it('says for how long nobody got a place soon, and whether any came back', async () => {
    const { share, take, pass } = openShare(1);
    pass(50);
    const first = take('a');
    pass(10);
    expect([share.exhaustedFor(), share.stuckFor(), share.waiting()]).toEqual([0, 0, 0]);
    const second = take('b');
    pass(5);
    const third = take('c');
    const fourth = take('c');
    pass(5);
    expect([share.exhaustedFor(), share.stuckFor(), share.waiting()]).toEqual([10, 10, 3]);
    pass(991);
    first.release();
    await settled();
    pass(7);
    expect([share.exhaustedFor(), share.stuckFor(), share.waiting()]).toEqual([1_008, 7, 2]);
    second.release();
    await settled();
    expect(share.exhaustedFor()).toBe(1_008);
    third.release();
    await settled();
    fourth.release();
    expect([share.exhaustedFor(), share.stuckFor(), share.waiting()]).toEqual([0, 0, 0]);
  });

  it('is not any more once somebody has waited for no longer than a second', async () => {
    const { share, take, pass } = openShare(1);
    const first = take('a');
    take('b');
    pass(1_000);
    expect(share.exhaustedFor()).toBe(1_000);
    first.release();
    await settled();
    expect(share.exhaustedFor()).toBe(0);
  });

  it('is not while places are free and only somebody’s own share is used up', () => {
    const { share, take, pass } = openShare();
    for (let asked = 0; asked < 5; asked += 1) take('greedy');
    pass(10);
    expect([share.exhaustedFor(), share.waiting()]).toEqual([0, 1]);
  });
});

describe('whoever waits too long', () => {
  function openImpatient() {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    return createFairShare({ places: 1, patienceMs: 20, now: () => Date.now() });
  }
  const outcomeOf = (taken: Release | Promise<Release>) =>
    Promise.resolve(taken).then(
      () => 'place',
      () => 'refused',
    );

  it('gives up alone: what the same caller asked for later still waits', async () => {
    const share = openImpatient();
    const release = await share.take('a', false);
    const early = outcomeOf(share.take('b', false));
    await vi.advanceTimersByTimeAsync(10);
    const [second, third] = [outcomeOf(share.take('b', false)), outcomeOf(share.take('c', false))];
    await vi.advanceTimersByTimeAsync(10);
    expect([await early, share.waiting()]).toEqual(['refused', 2]);
    release();
    expect(await second).toBe('place');
    await vi.advanceTimersByTimeAsync(10);
    expect([await third, share.waiting()]).toEqual(['refused', 0]);
  });

  it('is not refused once it has its place', async () => {
    const share = openImpatient();
    const release = await share.take('a', false);
    const next = outcomeOf(share.take('b', false));
    release();
    expect([await next, vi.getTimerCount()]).toEqual(['place', 0]);
  });
});
