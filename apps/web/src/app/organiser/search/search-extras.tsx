import { useLayoutEffect } from 'react';
import {
  QUICK_RECEIVED,
  type ReceivedLink,
  useReceivedHits,
} from '../../../features/search/api/find-received-links.ts';
import { COMMAND_MARK, type SearchExtrasProps } from '../../../features/search/model/search-extras.ts';
import { beginsWith, findByWords } from './find-by-words.ts';
import { type Command, useCommands } from './use-commands.tsx';
import { useOpenShares } from './use-open-shares.ts';
import { useTagMatches } from './use-tag-matches.tsx';

interface Props extends SearchExtrasProps {
  readonly onOpenShortcuts: () => void;
}

/** So few that the links below stay in sight. */
const MOST = 3;

/** Shorter ones begin too many words. */
const SHORTEST = 2;

const NONE: readonly never[] = [];

/** Finds commands and what others share, and tells the field. Shows nothing itself. */
export function SearchExtras({ text, term, onFound, onOpenShortcuts }: Props) {
  const all = useCommands(onOpenShortcuts);
  const { places, key } = useOpenShares();
  const ownTags = useTagMatches();
  const query = useReceivedHits(places.length === 0 ? '' : term, key);
  const received: readonly ReceivedLink[] = term === '' ? NONE : (query.data ?? NONE);
  const pending = query.isLoading && query.fetchStatus === 'fetching';
  const isComplete = places.length === 0 || (query.isSuccess && received.length < QUICK_RECEIVED);

  // Before the frame is painted: rows of what was typed before never show below what is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what commands do is new on every render, which of them are found is not
  useLayoutEffect(() => {
    const shares = text.length < SHORTEST ? NONE : findByWords(places, text).slice(0, MOST);
    const tags = text.length < SHORTEST ? NONE : findByWords(ownTags, text).slice(0, MOST);
    const commands = findCommands(all, text);
    onFound({
      text,
      tags,
      commands,
      isCommandMeant: isMeant(commands, text),
      shares,
      received,
      isComplete,
      pending,
    });
  }, [text, places, ownTags, received, isComplete, pending, onFound]);
  return null;
}

/** All of them after the mark alone; with words, those that are meant. */
function findCommands(all: readonly Command[], text: string): readonly Command[] {
  if (text.startsWith(COMMAND_MARK)) return findByWords(all, text.slice(COMMAND_MARK.length));
  return text.length < SHORTEST ? NONE : findByWords(all, text).slice(0, MOST);
}

/** Whether somebody is writing the name of the first of them. */
function isMeant([first]: readonly Command[], text: string): boolean {
  return text.startsWith(COMMAND_MARK) || (first !== undefined && beginsWith(first, text));
}
