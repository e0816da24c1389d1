import type { QueryClient } from '@tanstack/react-query';
import { changeCaptures, readCaptures, watchOutbox } from '../../features/captures/api/outbox-store.ts';
import { type CaptureSender, sendCaptures } from '../../features/captures/api/send-captures.ts';
import { isDue } from '../../features/captures/model/capture.ts';
import { linkListKey } from '../../features/links/model/link-rows.ts';
import type { Connection } from '../../shared/lib/connection/create-connection.ts';
import { log } from '../../shared/lib/log.ts';
import { pendingWritesOf } from '../../shared/lib/writes/pending-writes.ts';

interface Sending extends Pick<CaptureSender, 'database' | 'userId' | 'readTitle' | 'saveTags'> {
  readonly queryClient: QueryClient;
  /** Null where nobody watches: the services then count as reachable. */
  readonly connection: Connection | null;
}

/** How long after a round that reached nobody the next one comes, milliseconds; then always the last. */
const RETRY_MS = [5_000, 15_000, 60_000, 300_000] as const;

/** What shows how many links there are, and where. */
const OUTDATED = ['categories', 'folders', 'library-counts', 'recent-links'] as const;

/**
 * Sends what waits on this device: at once, whenever something is added, and when the connection is back. Returns the way to stop; a
 * capture that is on its way then is finished, and sent again by whoever comes next.
 */
export function beginSending({ queryClient, connection, ...sender }: Sending): () => void {
  const { userId } = sender;
  let over = false;
  let running = false;
  let again = false;
  let vain = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const renew = (places: ReadonlySet<string>) => {
    for (const place of places) void queryClient.invalidateQueries({ queryKey: linkListKey(place) });
    for (const name of OUTDATED) void queryClient.invalidateQueries({ queryKey: [name] });
  };
  const sendRound = async () => {
    const places = new Set<string>();
    const onSaved: CaptureSender['onSaved'] = ({ id }, place) => {
      if (place === null) return;
      places.add(place);
      // Told to the other tabs at once: this one may be closed before the round ends.
      pendingWritesOf(queryClient)
        .begin({ table: 'links', kind: 'add', ids: [id] })
        .settle();
    };
    try {
      return await sendCaptures({ ...sender, onSaved, isWanted: () => !over });
    } finally {
      if (places.size > 0 && !over) renew(places);
    }
  };
  const isReachable = () => connection?.isOnline() !== false;
  const run = async () => {
    again = running;
    if (running || over || !isReachable()) return;
    running = true;
    clearTimeout(timer);
    try {
      const end = await sendRound();
      vain = end === 'away' ? vain + 1 : 0;
      if (vain > 0 && !over)
        timer = setTimeout(() => void run(), RETRY_MS[Math.min(vain, RETRY_MS.length) - 1]);
    } catch (error) {
      // The browser keeps nothing (any more): what it kept is tried at the next start.
      log.warn('what waits on this device could not be sent', error);
    } finally {
      running = false;
    }
    if (again && vain === 0) void run();
  };

  /** What only waited for the person to be back is sent like everything else. */
  const begin = async () => {
    const ended = (await readCaptures(userId)).filter(({ refusal }) => refusal?.kind === 'signed_out');
    if (ended.length > 0)
      await changeCaptures(
        userId,
        ended.map(({ place }) => place),
        { refusal: null },
      );
    await run();
  };
  // What leaves the line, or is refused, tells as well: only what is due is a reason.
  const runWhenDue = async () => {
    if (running) again = true;
    else if ((await readCaptures(userId)).some(isDue)) await run();
  };
  const stopWatching = watchOutbox(() => void runWhenDue());
  const stopFollowing = connection?.subscribe(() => void run());
  void begin().catch((error: unknown) => log.warn('what waits on this device could not be read', error));

  return () => {
    over = true;
    clearTimeout(timer);
    stopWatching();
    stopFollowing?.();
  };
}
