export type Confirmer = {
  /** Everything before `position` has been heard. */
  reached(position: bigint, urgency: 'now' | 'soon'): void;
  /** What Postgres was told last. */
  confirmed(): bigint;
  /** Asks for a sign of life, too. */
  ping(): void;
  stop(): void;
};

/** Between two commits nobody waits for a confirmation, but the log may go on growing for other tables. */
const SOON_MS = 50;

/**
 * Tells Postgres how far the log was read, so that it can let go of it. Commits that arrive together are confirmed
 * together, in the same turn of the event loop: a sender that waits for confirmation stalls for seconds.
 * @param send the position, and whether Postgres is to answer.
 */
export function createConfirmer(send: (position: bigint, ping: boolean) => void): Confirmer {
  let reached = 0n;
  let confirmed = 0n;
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;

  function flush(ping = false): void {
    clearTimeout(timer);
    timer = undefined;
    if (turn) clearImmediate(turn);
    turn = undefined;
    confirmed = reached;
    send(reached, ping);
  }

  return {
    reached(position, urgency) {
      if (position > reached) reached = position;
      if (urgency === 'now') turn ??= setImmediate(flush);
      else if (reached > confirmed) timer ??= setTimeout(flush, SOON_MS);
    },
    confirmed: () => confirmed,
    ping: () => flush(true),
    stop() {
      clearTimeout(timer);
      if (turn) clearImmediate(turn);
    },
  };
}
