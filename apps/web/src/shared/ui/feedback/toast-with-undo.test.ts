import { beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetUndos, rememberUndo, undoLast } from '../../lib/writes/undo-history.ts';
import { followWithUndo } from './toast-with-undo.ts';

const earlier = vi.fn();
const undo = vi.fn();
const act = { describe: (what: string) => `${what} foi`, undo };

beforeEach(() => {
  vi.clearAllMocks();
  rememberUndo({ undo: earlier, drop: () => undefined });
});

describe('an act that is not answered yet', () => {
  test('is taken back by the key once it is answered, and what came before it is not', async () => {
    const answer = Promise.withResolvers<string>();
    const followed = followWithUndo(answer.promise, act);
    undoLast();
    expect(undo).not.toHaveBeenCalled();
    answer.resolve('Isto');
    expect(await followed).toBe('Isto');
    expect(undo.mock.calls).toEqual([['Isto']]);
    expect(earlier).not.toHaveBeenCalled();
  });

  test.each([
    ['refused', () => Promise.resolve(null)],
    ['broken', () => Promise.reject(new Error('caiu'))],
  ])('leaves the way to what came before it when it is %s', async (_how, write) => {
    const followed = followWithUndo<string>(write(), act).catch(() => null);
    undoLast();
    expect(await followed).toBeNull();
    expect(undo).not.toHaveBeenCalled();
    undoLast();
    expect(earlier).toHaveBeenCalledOnce();
  });

  test('keeps its place: what was done since is taken back before it, however late it is answered', async () => {
    const answer = Promise.withResolvers<string>();
    const followed = followWithUndo(answer.promise, act);
    const since = vi.fn();
    rememberUndo({ undo: since, drop: () => undefined });
    answer.resolve('Isto');
    await followed;
    undoLast();
    expect(since).toHaveBeenCalledOnce();
    expect(undo).not.toHaveBeenCalled();
    undoLast();
    expect(undo.mock.calls).toEqual([['Isto']]);
    undoLast();
    expect(earlier).toHaveBeenCalledOnce();
  });

  test('is taken back once, whatever is pressed how often', async () => {
    const followed = followWithUndo(Promise.resolve('Isto'), act);
    undoLast();
    await followed;
    forgetUndos();
    undoLast();
    expect(undo).toHaveBeenCalledOnce();
  });
});

test('an act that is answered is taken back by the key, too', async () => {
  await followWithUndo(Promise.resolve('Isto'), act);
  undoLast();
  expect(undo.mock.calls).toEqual([['Isto']]);
  expect(earlier).not.toHaveBeenCalled();
});
