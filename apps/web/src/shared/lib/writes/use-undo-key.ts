import { useEffect } from 'react';
import { useShortcut } from '../browser/use-shortcut.ts';
import { forgetUndos, undoLast } from './undo-history.ts';

/** Ctrl or Cmd+Z takes the last deletion back, anywhere except where someone types: there it is the text's own. */
export function useUndoKey(): void {
  useShortcut('mod+z', undoLast);
  useEffect(() => forgetUndos, []);
}
