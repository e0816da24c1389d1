import { useLayoutEffect, useRef } from 'react';
import { singleKeysAreOn } from './single-key-shortcuts.ts';

/**
 * A dialog, drawer or menu over the page. Toasts are dialogs too, but leave the page usable; and what is on its way out holds
 * nobody up: whoever confirms and presses the next key at once means the page.
 */
const LAYER = [
  '[role=dialog]:not([aria-modal=false],[data-closed])',
  '[role=alertdialog]:not([aria-modal=false],[data-closed])',
  '[role=menu]:not([data-closed])',
].join(',');

const FIELD = 'input:not([type=checkbox]):not([type=radio]),textarea,select,[contenteditable=true]';

/** True where keys and pastes belong to what is being typed, or to a dialog or menu over the page. */
export function isTypingPlace(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`${FIELD},${LAYER}`) !== null;
}

/** True while a dialog, drawer or menu lies over the page: keys and pastes are its own. */
export function isUnderLayer(): boolean {
  return document.querySelector(LAYER) !== null;
}

interface ShortcutOptions {
  /** It works while someone types, too; for combinations that mean nothing in a text field. */
  readonly whileTyping?: boolean;
  /** It works under an open dialog or menu, too. */
  readonly underDialogs?: boolean;
}

/**
 * Runs an action when a key is pressed anywhere on the page, except where someone types and below an open dialog or menu.
 * @param shortcut KeyboardEvent.key in lower case ('n', '?', 'delete'), or with 'mod+' before it ('mod+k'): Ctrl, on
 * Apple keyboards Cmd. Other modified presses are left to the browser. Every one of them is listed in
 * features/shortcuts, for the sheet that '?' opens.
 * @param action null while the key means nothing.
 */
export function useShortcut(
  shortcut: string,
  action: (() => void) | null,
  { whileTyping = false, underDialogs = false }: ShortcutOptions = {},
): void {
  const latest = useRef(action);
  // Before the paint: whoever sees the page may press at once.
  useLayoutEffect(() => {
    latest.current = action;
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isPressOf(event, shortcut) || latest.current === null || event.defaultPrevented) return;
      if (!underDialogs && isUnderLayer()) return;
      if (!whileTyping && isTypingPlace(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [shortcut, whileTyping, underDialogs]);
}

function isPressOf(event: KeyboardEvent, shortcut: string): boolean {
  const modified = shortcut.startsWith('mod+');
  const key = modified ? shortcut.slice('mod+'.length) : shortcut;
  if (event.key.toLowerCase() !== key || event.repeat || event.isComposing || event.altKey) return false;
  // Shift belongs to '?' and '/' on many keyboards; with a letter it is another shortcut.
  if (event.shiftKey && /^[a-z]$/.test(key)) return false;
  if (modified) return event.ctrlKey || event.metaKey;
  if (event.ctrlKey || event.metaKey) return false;
  return key.length > 1 || singleKeysAreOn();
}
