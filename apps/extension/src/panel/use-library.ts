import { useEffect, useState } from 'react';
import { type ListedLink, listNewest, listPlaces, type Place, searchLinks } from '../library/library.ts';
import { watchOutbox } from '../outbox/outbox-store.ts';
import { type Connection, ownerOf } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';

/** Silence after which is searched, milliseconds. */
const PAUSE_MS = 150;

/** What the panel shows of the library: read when it opens and after each save, and what a search finds. */
export function useLibrary(connection: Connection) {
  const [term, setTerm] = useState('');
  const [found, setFound] = useState<readonly ListedLink[] | null>(null);
  const [newest, setNewest] = useState<readonly ListedLink[] | null>(null);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const [isAway, setAway] = useState(false);
  const owner = ownerOf(connection);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a renewed token is the same library.
  useEffect(() => {
    const database = openDatabase(connection);
    const look = () => {
      Promise.all([
        listNewest(database, connection.session.userId).then(setNewest),
        listPlaces(database, connection.session.userId).then(setPlaces),
      ]).then(
        () => setAway(false),
        () => setAway(true),
      );
    };
    look();
    return watchOutbox(look);
  }, [owner]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    const wanted = term.trim();
    if (wanted === '') return setFound(null);
    let isLatest = true;
    const timer = setTimeout(() => {
      searchLinks(openDatabase(connection), wanted).then(
        (links) => {
          if (!isLatest) return;
          setFound(links);
          setAway(false);
        },
        () => setAway(true),
      );
    }, PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [term, owner]);
  return { term, setTerm, found, newest, places, isAway } as const;
}
