import type { ReactNode } from 'react';
import type { ReceivedLink } from '../api/find-received-links.ts';
import type { Place } from './find-places.ts';

/** Something the app does when it is asked for by name. */
export interface SearchCommand {
  readonly id: string;
  readonly label: string;
  /** Its shortcut, or what else helps to know it. */
  readonly hint?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** What the field finds besides one's own folders, categories and links. */
export interface SearchExtras {
  /** The text that they are of: below another one they do not show. */
  readonly text: string;
  /** One's own tags of that name; choosing one shows its links. */
  readonly tags: readonly SearchCommand[];
  readonly commands: readonly SearchCommand[];
  /** Whether the text is how one of them begins: then they stand above the links. */
  readonly isCommandMeant: boolean;
  /** Categories that others share. */
  readonly shares: readonly Place[];
  /** Links in them. */
  readonly received: readonly ReceivedLink[];
  /** Whether `received` is all there is. */
  readonly isComplete: boolean;
  /** True while links of others are on their way. */
  readonly pending: boolean;
}

export const NO_EXTRAS: SearchExtras = {
  text: '',
  tags: [],
  commands: [],
  isCommandMeant: false,
  shares: [],
  received: [],
  isComplete: true,
  pending: false,
};

/** What begins with this asks for commands alone. */
export const COMMAND_MARK = '>';

export interface SearchExtrasProps {
  /** What is typed, without blanks around it. */
  readonly text: string;
  /** The same once somebody pauses, as far as it asks for links; else ''. */
  readonly term: string;
  /** The same function on every render. */
  readonly onFound: (extras: SearchExtras) => void;
}
