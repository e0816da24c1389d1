import { normalizeUrl } from '@linkoteca/domain/normalize-url';
import { useEffect, useRef } from 'react';
import { isTypingPlace } from '../../../shared/lib/use-shortcut.ts';

/** Calls back with the address when one is pasted anywhere on the page except where someone types. */
export function usePastedUrl(onPaste: (url: string) => void): void {
  const latest = useRef(onPaste);
  useEffect(() => {
    latest.current = onPaste;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (isTypingPlace(event.target)) return;
      const text = event.clipboardData?.getData('text/plain').trim() ?? '';
      const url = /\s/.test(text) ? null : normalizeUrl(text);
      if (url === null) return;
      event.preventDefault();
      latest.current(url);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
