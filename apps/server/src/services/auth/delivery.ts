import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { AuthError } from './auth-error.ts';

export type Delivery = {
  /**
   * Hands a message over. Waits for the outcome only for a moment: a slow receiver goes on in the background.
   * @param subject for the log
   * @param undo called when the message could not be handed over, sooner or later.
   * @throws the failure that the delivery was made with, when it is known by then.
   */
  hand(subject: string, over: () => Promise<void>, undo: () => Promise<void>): Promise<void>;
  /** Fails as surely as the last message did: for somebody who gets none. */
  pretend(): void;
  /** Resolves when nothing is on its way any more. */
  settle(): Promise<void>;
};

type DeliveryOptions = {
  /** How long an answer waits, in milliseconds. */
  readonly waitMs: number;
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
  /** For the log. */
  readonly what: 'mail' | 'text message';
  readonly failure: 'email_send_failed' | 'sms_send_failed';
};

/**
 * Hands messages over outside any database transaction: a server that hangs must not hold a connection.
 *
 * GoTrue answers 500 when its mail server is down and undoes the sign-up. The clients take a 500 for a passing network
 * failure, so we answer 422 instead. The account stays, unconfirmed; nothing is retried on our side, but the address may
 * ask again at once. And because only real accounts get messages, a request for an unknown address (`pretend`) is answered
 * with the outcome that the last real message had in time.
 */
export function createDelivery({ waitMs, logger, what, failure }: DeliveryOptions): Delivery {
  const underway = new Set<Promise<boolean>>();
  let lastFailed = false;

  async function attempt(
    subject: string,
    over: () => Promise<void>,
    undo: () => Promise<void>,
    isLate: () => boolean,
  ): Promise<boolean> {
    try {
      await over();
      lastFailed = false;
      return true;
    } catch (cause) {
      lastFailed = !isLate();
      logger.error({ err: cause, subject }, `a ${what} could not be sent`);
      await undo();
      return false;
    }
  }

  return {
    async hand(subject, over, undo) {
      let isLate = false;
      const sending = attempt(subject, over, undo, () => isLate);
      underway.add(sending);
      const done = sending.finally(() => underway.delete(sending));
      const timeout = wait(waitMs, true, { ref: false }).then(() => {
        isLate = true;
        return true;
      });
      const sent = await Promise.race([done, timeout]);
      if (!sent) throw new AuthError(failure);
    },
    pretend() {
      if (lastFailed) throw new AuthError(failure);
    },
    async settle() {
      await Promise.allSettled(underway);
    },
  };
}
