import { ERRORS } from '@tus/server';
import { describe, expect, it, vi } from 'vitest';
import { createUploadLocks } from './upload-locks.ts';

const ignore = () => undefined;
const patient = new AbortController().signal;

describe('the lock of an upload', () => {
  it('is held by one, who is asked to end by the next, and given on in order', async () => {
    const locks = createUploadLocks();
    const [first, second, third] = [locks.newLock('a'), locks.newLock('a'), locks.newLock('a')];
    const asked = vi.fn();
    await first.lock(patient, asked);
    const order: string[] = [];
    const later = second.lock(patient, ignore).then(() => order.push('second'));
    const last = third.lock(patient, ignore).then(() => order.push('third'));
    expect(asked).toHaveBeenCalled();
    await Promise.resolve();
    expect(order).toEqual([]);
    await first.unlock();
    await later;
    expect(order).toEqual(['second']);
    await second.unlock();
    await last;
    await third.unlock();
    await locks.newLock('a').lock(patient, ignore);
  });

  it('is another one for another upload', async () => {
    const locks = createUploadLocks();
    await locks.newLock('a').lock(patient, ignore);
    await locks.newLock('b').lock(patient, ignore);
  });

  it('is refused to whom it takes too long, and to who leaves', async () => {
    const locks = createUploadLocks(10);
    const first = locks.newLock('a');
    await first.lock(patient, ignore);
    await expect(locks.newLock('a').lock(patient, ignore)).rejects.toBe(ERRORS.ERR_LOCK_TIMEOUT);
    const gone = new AbortController();
    const leaving = locks.newLock('a').lock(gone.signal, ignore);
    gone.abort();
    await expect(leaving).rejects.toBe(ERRORS.ERR_LOCK_TIMEOUT);
    // Whoever gave up does not hold the lock when its turn would have come.
    await first.unlock();
    await locks.newLock('a').lock(patient, ignore);
  });

  it('refuses the ninth that waits at once', async () => {
    const locks = createUploadLocks();
    await locks.newLock('a').lock(patient, ignore);
    for (let count = 0; count < 8; count += 1) locks.newLock('a').lock(patient, ignore).catch(ignore);
    await expect(locks.newLock('a').lock(patient, ignore)).rejects.toBe(ERRORS.ERR_LOCK_TIMEOUT);
  });
});
