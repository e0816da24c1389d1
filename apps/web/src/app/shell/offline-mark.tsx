import { formatMoment } from '@linkoteca/domain/dates';
import { describeWaiting } from '@linkoteca/domain/messages/capture-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CloudOff } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useOutbox } from '../../features/captures/api/use-outbox.ts';
import { useConnection } from '../../shared/lib/connection/connection-context.tsx';
import { useUserId } from '../../shared/lib/session/session-context.tsx';

/** Stands over the page while the services cannot be reached: what is shown is not the newest, and of when it is. */
export function OfflineMark() {
  const connection = useConnection();
  const seenAt = useSeenAt();
  const waiting = useOutbox(useUserId()).length;
  const [looking, setLooking] = useState(false);
  const look = async () => {
    setLooking(true);
    await connection?.check();
    setLooking(false);
  };
  return (
    <div
      role="status"
      data-print="hide"
      className="flex shrink-0 items-center gap-2.5 border-b border-line bg-warning-soft px-4 py-1.5 text-sm text-warning-text md:px-5"
    >
      <CloudOff aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        {seenAt === 0 ? (
          `${OFFLINE_MESSAGES.nothingKept}.`
        ) : (
          <>
            {OFFLINE_MESSAGES.lastSeen} (
            <time dateTime={new Date(seenAt).toISOString()}>
              {formatMoment(new Date(seenAt), new Date())}
            </time>
            ).
          </>
        )}
        {waiting > 0 ? (
          <>
            {' '}
            <Link to="/entrada" className="font-medium underline underline-offset-2">
              {describeWaiting(waiting)}
            </Link>
          </>
        ) : null}
      </p>
      <button
        type="button"
        aria-disabled={looking}
        onClick={looking ? undefined : () => void look()}
        className="h-8 shrink-0 rounded-sm px-2 font-medium underline underline-offset-2 hover:bg-hover pointer-coarse:h-11"
      >
        {OFFLINE_MESSAGES.checkAgain}
      </button>
    </div>
  );
}

/** When the newest of what is cached arrived, milliseconds; 0 while nothing is. */
function useSeenAt(): number {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.getAll().reduce((newest, { state }) => Math.max(newest, state.dataUpdatedAt), 0),
  );
}
