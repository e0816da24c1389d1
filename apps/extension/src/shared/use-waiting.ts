import { useEffect, useState } from 'react';
import type { WaitingCapture } from '../outbox/capture.ts';
import { listCaptures, watchOutbox } from '../outbox/outbox-store.ts';
import { type Connection, ownerOf } from '../session/session-store.ts';

const NONE: readonly WaitingCapture[] = [];

/** What waits on this device for whoever is signed in, anew whenever that changes. */
export function useWaiting(connection: Connection | null | undefined): readonly WaitingCapture[] {
  const owner = connection ? ownerOf(connection) : null;
  const [waiting, setWaiting] = useState(NONE);
  useEffect(() => {
    if (owner === null) return setWaiting(NONE);
    const look = () => void listCaptures(owner).then(setWaiting);
    look();
    return watchOutbox(look);
  }, [owner]);
  return waiting;
}
