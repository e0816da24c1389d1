import { Registry } from 'prom-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createJob, type JobDeclaration, runOnce } from './create-job.ts';
import { registerJobMetrics } from './register-job-metrics.ts';
import { createFakeTimers, type FakeTimers } from './test-support/create-fake-timers.ts';

let timers: FakeTimers;
let registry: Registry;
/** Ends the run under way. */
let ends: { resolve: () => void; reject: (err: Error) => void }[];
beforeEach(() => {
  timers = createFakeTimers();
  registry = new Registry();
  ends = [];
});

const run = () => {
  const end = Promise.withResolvers<void>();
  ends.push(end);
  return end.promise;
};
const declare = (more: Partial<JobDeclaration> = {}): JobDeclaration => ({
  name: 'test',
  everyMs: 1000,
  run,
  onFailure: () => undefined,
  ...more,
});
function start(more?: Partial<JobDeclaration>) {
  const job = createJob(declare(more), { timers, metrics: registerJobMetrics(registry) });
  job.start();
  return job;
}
/** What is resolved by now has its consequences. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
async function end(at: number): Promise<void> {
  ends[at]?.resolve();
  await settle();
}
const read = async (name: string) =>
  Number(
    new RegExp(`^linkoteca_job_${name}\\{name="test"\\} (\\S+)$`, 'm').exec(await registry.metrics())?.[1],
  );

describe('a job', () => {
  it('runs at once and then again and again, never twice at a time', async () => {
    start();
    await settle();
    expect(ends).toHaveLength(1);
    timers.advance(100_000);
    await settle();
    expect(ends).toHaveLength(1);
    await end(0);
    timers.advance(999);
    expect(ends).toHaveLength(1);
    timers.advance(1);
    expect(ends).toHaveLength(2);
  });

  it('waits before its first run where it is told to', () => {
    start({ firstAfterMs: 5000 });
    timers.advance(4999);
    expect(ends).toHaveLength(0);
    timers.advance(1);
    expect(ends).toHaveLength(1);
  });

  it.each([
    [0, 1000],
    [0.5, 950],
    [1, 900],
  ])('comes up to a tenth earlier by chance (%d), never later', async (chance, expected) => {
    timers = createFakeTimers(() => chance);
    start();
    await end(0);
    expect(timers.waiting()).toEqual([expected]);
  });

  it('asks how long to wait after each run', async () => {
    const everyMs = vi.fn().mockReturnValueOnce(50).mockReturnValue(700);
    start({ everyMs });
    await end(0);
    expect(timers.waiting()).toEqual([50]);
    timers.advance(50);
    await end(1);
    expect(timers.waiting()).toEqual([700]);
  });

  it('that is woken runs now, and waits anew', async () => {
    const job = start();
    await end(0);
    timers.advance(600);
    job.wake();
    await end(1);
    expect(ends).toHaveLength(2);
    expect(timers.waiting()).toEqual([1000]);
  });

  it('that is woken while it runs, however often, runs once more', async () => {
    const job = start();
    for (let time = 0; time < 3; time += 1) job.wake();
    await end(0);
    expect(ends).toHaveLength(2);
    await end(1);
    expect(ends).toHaveLength(2);
  });

  it('does nothing before its start and after its stop', async () => {
    const job = createJob(declare(), { timers });
    job.wake();
    expect(ends).toHaveLength(0);
    await job.stop();
    job.wake();
    expect([ends.length, timers.waiting()]).toEqual([0, []]);
  });
});

describe('a stop', () => {
  it('waits for the run under way, tells it, and begins no other', async () => {
    let shouldStop = () => false;
    const job = start({
      run: (round) => {
        shouldStop = round.shouldStop;
        return run();
      },
    });
    await settle();
    job.wake();
    let isStopped = false;
    const stopping = job.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect([isStopped, shouldStop()]).toEqual([false, true]);
    await end(0);
    await stopping;
    expect([ends.length, timers.waiting()]).toEqual([1, []]);
  });

  it('is patient for a while only', async () => {
    const job = start({ patienceMs: 200 });
    await settle();
    const stopping = job.stop();
    timers.advance(200);
    await stopping;
    const other = createJob(declare({ patienceMs: 0 }), { timers });
    other.start();
    await settle();
    await other.stop();
    expect(ends).toHaveLength(2);
  });
});

describe('the turn', () => {
  it('is taken before each run, and given back after it, failed or not', async () => {
    const giveBack = vi.fn(async () => undefined);
    const claim = vi
      .fn<NonNullable<JobDeclaration['claim']>>(async () => giveBack)
      .mockResolvedValueOnce(false);
    expect(await runOnce(declare({ claim }))).toBe(false);
    expect([ends.length, giveBack.mock.calls.length]).toEqual([0, 0]);
    const good = runOnce(declare({ claim }));
    await settle();
    await end(0);
    expect([await good, giveBack.mock.calls.length]).toEqual([true, 1]);
    const bad = runOnce(declare({ claim, run: async () => Promise.reject(new Error('broken')) }));
    await expect(bad).rejects.toThrow('broken');
    expect(giveBack).toHaveBeenCalledTimes(2);
  });
});

describe('what fails', () => {
  it('is told and counted, and tried again', async () => {
    const onFailure = vi.fn();
    start({ onFailure });
    await settle();
    expect(await read('failures_total')).toBe(0);
    ends[0]?.reject(new Error('broken'));
    await settle();
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(new Error('broken'), false);
    expect([await read('runs_total'), await read('failures_total')]).toEqual([1, 1]);
    expect(await read('last_success_timestamp_seconds')).toBeNaN();
    timers.advance(1000);
    timers.advance(500);
    await end(1);
    expect([await read('runs_total'), await read('failures_total')]).toEqual([2, 1]);
    expect(await read('last_success_timestamp_seconds')).toBe(timers.now() / 1000);
    expect(await read('duration_seconds_sum')).toBe(0.5);
  });

  it('may be the claim: no run, but a failure; and nothing due is neither', async () => {
    const claim = vi
      .fn<NonNullable<JobDeclaration['claim']>>(async () => false)
      .mockRejectedValueOnce(new Error('away'));
    start({ claim });
    await settle();
    timers.advance(1000);
    await settle();
    expect(claim).toHaveBeenCalledTimes(2);
    expect([await read('runs_total'), await read('failures_total')]).toEqual([0, 1]);
  });
});
