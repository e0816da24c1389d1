import type { ReactNode } from 'react';
import type { Link } from '../../../shared/lib/rows.ts';

/** The tags of a link while its form is open. */
export interface TagFieldProps {
  readonly value: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
  /** What is typed of the link: tags are suggested for it. */
  readonly url: string;
  readonly title: string;
}

/** What lists and forms of links do with tags; it comes after the page. */
export interface LinkTagging {
  /** The names of a link's tags, in the order in which they are shown. */
  readonly namesOf: (link: Link) => readonly string[];
  readonly renderChips: (link: Link) => ReactNode;
  /** Null where they may only be read. */
  readonly own: OwnTagging | null;
}

interface OwnTagging {
  readonly renderField: (field: TagFieldProps) => ReactNode;
  /** Gives a saved link its tags, and says so where that fails. */
  readonly save: (linkId: string, before: readonly string[], after: readonly string[]) => Promise<void>;
  /** Asks for the tags of links. */
  readonly ask: (links: readonly Link[], onDone: () => void) => void;
}

/** Whether a card keeps a line for a link's tags: also before it is known what they are called. */
export function showsTags(link: Link, tagging: LinkTagging | null): boolean {
  return (link.link_tags?.length ?? 0) > 0 || (tagging?.namesOf(link).length ?? 0) > 0;
}
