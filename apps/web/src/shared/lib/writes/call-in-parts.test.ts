import { IDS_PER_CALL } from '@linkoteca/domain/limits';
import { expect, test, vi } from 'vitest';
import { callInParts, PartlyDone } from './call-in-parts.ts';

const ids = Array.from({ length: 2 * IDS_PER_CALL + 1 }, (_, at) => `id-${at}`);
const sizes = (call: ReturnType<typeof vi.fn>) => call.mock.calls.map(([part]) => part.length);

test('what fits one call is one call, and so is nothing at all', async () => {
  const call = vi.fn(async (part: string[]) => part.length);
  expect(await callInParts(ids.slice(0, IDS_PER_CALL), call)).toBe(IDS_PER_CALL);
  expect(await callInParts([], call)).toBe(0);
  expect(sizes(call)).toEqual([IDS_PER_CALL, 0]);
});

test('more goes in parts, one after the other, each id once', async () => {
  let running = 0;
  const seen: string[] = [];
  const call = vi.fn(async (part: string[]) => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    seen.push(...part);
    return part.length;
  });
  expect(await callInParts(ids, call)).toBe(ids.length);
  expect(sizes(call)).toEqual([IDS_PER_CALL, IDS_PER_CALL, 1]);
  expect(seen).toEqual(ids);
});

test('when a later part fails, it is told what went, and nothing more is asked', async () => {
  const reason = new Error('refused');
  const call = vi.fn(async (part: string[]) => part.length);
  call.mockResolvedValueOnce(IDS_PER_CALL).mockRejectedValueOnce(reason);
  const failure = await callInParts(ids, call).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PartlyDone);
  expect((failure as PartlyDone).cause).toBe(reason);
  expect([...(failure as PartlyDone).doneIds]).toEqual(ids.slice(0, IDS_PER_CALL));
  expect(call).toHaveBeenCalledTimes(2);
});

test('when the first fails, its own error comes through', async () => {
  const reason = new Error('refused');
  await expect(callInParts(ids, () => Promise.reject(reason))).rejects.toBe(reason);
});
