import { COMMAND_MARK } from './search-extras.ts';

/** What the keys of the search field depend on. */
export interface SearchKeyState {
  /** Entries below the field; 0 while it is closed. */
  readonly count: number;
  /** The chosen entry; -1 while the field itself is. */
  readonly active: number;
  readonly expanded: boolean;
  readonly text: string;
}

export type SearchKeyStep =
  /** Opens the category of the chosen entry. */
  | { readonly act: 'choose'; readonly index: number }
  /** Opens the link of the chosen entry itself, in a new tab; what is no link is chosen. */
  | { readonly act: 'visit'; readonly index: number }
  | { readonly act: 'show-all' }
  | { readonly act: 'move'; readonly to: number }
  | { readonly act: 'close' }
  | { readonly act: 'empty' }
  | { readonly act: 'leave' };

interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** What a key does in the search field; null leaves it to the browser. */
export function planSearchKey(pressed: PressedKey, state: SearchKeyState): SearchKeyStep | null {
  const { key, altKey, shiftKey } = pressed;
  const command = pressed.ctrlKey || pressed.metaKey;
  const { count, active } = state;
  if (altKey) return null;
  if (key === 'Enter') {
    // Of commands alone the best is meant.
    if (active < 0 && state.text.trimStart().startsWith(COMMAND_MARK))
      return count > 0 ? { act: 'choose', index: 0 } : null;
    if (command) return active >= 0 ? { act: 'choose', index: active } : null;
    return shiftKey || active < 0 ? { act: 'show-all' } : { act: 'visit', index: active };
  }
  if (command || shiftKey) return null;
  switch (key) {
    case 'Escape':
      return { act: state.expanded ? 'close' : state.text !== '' ? 'empty' : 'leave' };
    case 'ArrowDown':
      return { act: 'move', to: active + 1 < count ? active + 1 : -1 };
    case 'ArrowUp':
      return { act: 'move', to: active < 0 ? count - 1 : active - 1 };
    // While no entry is chosen these two belong to the text.
    case 'Home':
      return active >= 0 ? { act: 'move', to: 0 } : null;
    case 'End':
      return active >= 0 ? { act: 'move', to: count - 1 } : null;
    default:
      return null;
  }
}
