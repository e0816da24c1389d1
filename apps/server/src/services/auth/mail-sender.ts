import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Mail, Mailer } from '../../kernel/mail.ts';
import { AuthError } from './auth-error.ts';

export type MailSender = {
  /**
   * Sends a mail. Waits for the outcome only for a moment: a slow server goes on in the background.
   * @param undo called when the mail could not be sent, sooner or later.
   * @throws email_send_failed when the failure is known by then.
   */
  send(mail: Mail, undo: () => Promise<void>): Promise<void>;
  /** The same for a mail that somebody else sends for us. @param subject for the log */
  hand(subject: string, over: () => Promise<void>, undo: () => Promise<void>): Promise<void>;
  /** Fails as surely as the last mail that was sent: for an address that gets none. */
  pretend(): void;
  /** Resolves when no mail is on its way any more. */
  settle(): Promise<void>;
};

/**
 * Sends the service's mails outside any database transaction: a mail server that hangs must not hold a connection.
 *
 * GoTrue answers 500 when the mail server is down and undoes the sign-up. The clients take a 500 for a passing network
 * failure, so we answer 422 `email_send_failed` instead. The account stays, unconfirmed; nothing is retried on our
 * side, but the address may ask again at once. And because only real accounts get mails, a request for an unknown
 * address (`pretend`) is answered with the outcome that the last real mail had in time.
 */
export function createMailSender(
  mailer: Mailer,
  waitMs: number,
  logger: Pick<FastifyBaseLogger, 'error'>,
): MailSender {
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
      logger.error({ err: cause, subject }, 'a mail could not be sent');
      await undo();
      return false;
    }
  }

  const hand: MailSender['hand'] = async (subject, over, undo) => {
    let isLate = false;
    const sending = attempt(subject, over, undo, () => isLate);
    underway.add(sending);
    const done = sending.finally(() => underway.delete(sending));
    const timeout = wait(waitMs, true, { ref: false }).then(() => {
      isLate = true;
      return true;
    });
    const sent = await Promise.race([done, timeout]);
    if (!sent) throw new AuthError('email_send_failed');
  };

  return {
    send: (mail, undo) => hand(mail.subject, () => mailer.send(mail), undo),
    hand,
    pretend() {
      if (lastFailed) throw new AuthError('email_send_failed');
    },
    async settle() {
      await Promise.allSettled(underway);
    },
  };
}
