import { useEffect, useRef } from 'react';

/** True where keys and pastes belong to what is being typed, or to a dialog or menu over the page. */
export function isTypingPlace(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      'input:not([type=checkbox]),textarea,select,[contenteditable=true],[role=dialog],[role=alertdialog],[role=menu]',
    ) !== null
  );
}

/**
 * Runs an action when a single key is pressed anywhere on the page except where someone types.
 * @param action null while the key means nothing.
 * @param key as KeyboardEvent.key in lower case; modified presses are left to the browser.
 */
export function useShortcut(key: string, action: (() => void) | null): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== key || event.ctrlKey || event.metaKey || event.altKey) return;
      if (latest.current === null || event.defaultPrevented || isTypingPlace(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [key]);
}
