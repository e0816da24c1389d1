import { useEffect } from 'react';
import { forgetUndos, undoLast } from './undo-history.ts';
import { useShortcut } from './use-shortcut.ts';

/** Ctrl or Cmd+Z takes the last deletion back, anywhere except where someone types: there it is the text's own. */
export function useUndoKey(): void {
  useShortcut('mod+z', undoLast);
  useEffect(() => forgetUndos, []);
}
