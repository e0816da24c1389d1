import { fireEvent, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { rememberUndo } from './undo-history.ts';
import { useUndoKey } from './use-undo-key.ts';

const pressUndo = () => fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });

test('the key takes back what was done last, and who leaves takes the ways back along', () => {
  const [first, second] = [
    { undo: vi.fn(), drop: vi.fn() },
    { undo: vi.fn(), drop: vi.fn() },
  ];
  const { unmount } = renderHook(() => useUndoKey());
  rememberUndo(first);
  rememberUndo(second);
  pressUndo();
  expect([first.undo.mock.calls.length, second.undo.mock.calls.length]).toEqual([0, 1]);
  unmount();
  pressUndo();
  expect(first.undo).not.toHaveBeenCalled();
  expect(first.drop).toHaveBeenCalledOnce();
});
