import { useEffect, useRef } from 'react';
import { isTypingPlace, isUnderLayer } from '../../../shared/lib/browser/use-shortcut.ts';
import { findLinkText } from './find-link-text.ts';

/** Calls back with the text when links are pasted anywhere on the page except where someone types or a dialog is open. */
export function usePastedLinks(onPaste: (text: string) => void): void {
  const latest = useRef(onPaste);
  useEffect(() => {
    latest.current = onPaste;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isTypingPlace(event.target) || isUnderLayer()) return;
      const text = findLinkText(event.clipboardData);
      if (text === null) return;
      event.preventDefault();
      latest.current(text);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
