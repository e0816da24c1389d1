import type { Logger } from 'pino';
import { explainFeedFailure } from './explain-feed-failure.ts';

export type Outage = {
  /** @returns how long to wait before the next attempt, in milliseconds. */
  begin(fault: Error, liveSince: Date | undefined): number;
  /** @returns why something may have been missed since the last live session, if so. */
  end(): string | undefined;
};

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 5_000;
/** What an operator has to mend is looked at again, in case they did. */
const SETUP_DELAY_MS = 30_000;
/** A session that lived this long was no failure of ours: the next attempt comes soon. */
const STEADY_MS = 10_000;

/** From the loss of a session to the next one that is live: what is logged, how long to wait, what listeners are told. */
export function createOutage(logger: Pick<Logger, 'info' | 'warn'>, now: () => Date): Outage {
  let since: Date | undefined;
  let missedBy: string | undefined;
  let lastLogged: string | undefined;
  let delay = FIRST_DELAY_MS;
  return {
    begin(fault, liveSince) {
      since ??= now();
      if (liveSince) missedBy ??= fault.message;
      if (liveSince && since.getTime() - liveSince.getTime() > STEADY_MS) delay = FIRST_DELAY_MS;
      const { message, passes } = explainFeedFailure(fault);
      // Once an outage, and again when the reason is another.
      if (message !== lastLogged) logger.warn({ err: fault }, message);
      lastLogged = message;
      if (!passes) return SETUP_DELAY_MS;
      // Copies that lost the same database do not all come back in the same moment.
      const wait = delay * (0.5 + Math.random() / 2);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
      return wait;
    },
    end() {
      const reason = missedBy;
      if (since)
        logger.info({ outageMs: now().getTime() - since.getTime() }, 'the change feed is live again');
      since = undefined;
      missedBy = undefined;
      lastLogged = undefined;
      return reason;
    },
  };
}
