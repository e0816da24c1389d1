/** What a key asks of a grid or list of links. */
export type LinkStep =
  | { readonly act: 'focus'; readonly index: number; readonly extend: boolean }
  | { readonly act: 'type'; readonly character: string }
  | { readonly act: LinkCommand };

export type LinkCommand =
  | 'toggle'
  | 'select-all'
  | 'open'
  | 'edit'
  | 'info'
  | 'copy'
  | 'star'
  | 'delete'
  | 'menu';

/** A pressed key, with what was held down; `command` is Ctrl or Cmd. */
export interface KeyPress {
  readonly key: string;
  readonly shift: boolean;
  readonly command: boolean;
  readonly alt: boolean;
}

export interface ListSituation {
  /** Where the keyboard is. */
  readonly index: number;
  readonly count: number;
  readonly columns: number;
  /** Lines that a screenful has. */
  readonly pageLines: number;
  /** A title is being typed: every character belongs to it. */
  readonly typing: boolean;
}

const COMMANDS: Readonly<Record<string, LinkCommand>> = {
  ' ': 'toggle',
  x: 'toggle',
  Enter: 'open',
  F2: 'edit',
  e: 'edit',
  i: 'info',
  c: 'copy',
  s: 'star',
  Delete: 'delete',
  ContextMenu: 'menu',
};

/** Letters that mean something on the whole page: they start no title unless Shift is held. */
const PAGE_KEYS: ReadonlySet<string> = new Set(['f', 'm', 'n', 't', 'v']);

/**
 * Arrows walk in both directions, with Shift they pick what they pass; Home and End go to the ends of a line of cards, in
 * a list and with Ctrl to the ends of everything; letters jump to a title. Letters that are commands start a title only
 * with Shift; once it has begun, every character is part of it.
 * @returns null for a key that means nothing here.
 */
export function planLinkKey(press: KeyPress, situation: ListSituation): LinkStep | null {
  const { key, shift, command, alt } = press;
  if (alt || situation.count === 0) return null;
  const target = findTarget(key, command, situation);
  if (target !== null) {
    const index = Math.min(situation.count - 1, Math.max(0, target));
    return { act: 'focus', index, extend: shift };
  }
  if (command) return key.toLowerCase() === 'a' && !shift ? { act: 'select-all' } : null;
  if (situation.typing && [...key].length === 1) return { act: 'type', character: key };
  if (shift && key === 'F10') return { act: 'menu' };
  const named = shift ? undefined : COMMANDS[key];
  if (named !== undefined) return { act: named };
  const letter = /^[\p{L}\p{N}]$/u.test(key) && (shift || !PAGE_KEYS.has(key));
  return letter ? { act: 'type', character: key } : null;
}

/** Where a key leads, perhaps beyond the ends; null for a key that does not walk. */
function findTarget(key: string, command: boolean, situation: ListSituation): number | null {
  const { index, count, columns, pageLines } = situation;
  const lineStart = index - (index % columns);
  const wholeList = command || columns === 1;
  if (key === 'Home') return wholeList ? 0 : lineStart;
  if (key === 'End') return wholeList ? count - 1 : lineStart + columns - 1;
  if (command) return null;
  switch (key) {
    case 'ArrowLeft':
      return columns === 1 ? null : index - 1;
    case 'ArrowRight':
      return columns === 1 ? null : index + 1;
    case 'ArrowUp':
      return index < columns ? index : index - columns;
    case 'ArrowDown':
      return lineStart + columns >= count ? index : index + columns;
    case 'PageUp':
      return index < columns ? index : Math.max(index % columns, index - pageLines * columns);
    case 'PageDown':
      return lineStart + columns >= count ? index : index + pageLines * columns;
    default:
      return null;
  }
}
