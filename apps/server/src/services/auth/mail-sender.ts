import type { FastifyBaseLogger } from 'fastify';
import type { Mail, Mailer } from '../../kernel/mail.ts';
import { createDelivery, type Delivery } from './delivery.ts';

export type MailSender = Delivery & {
  /**
   * Sends a mail. Waits for the outcome only for a moment: a slow server goes on in the background.
   * @param undo called when the mail could not be sent, sooner or later.
   * @throws email_send_failed when the failure is known by then.
   */
  send(mail: Mail, undo: () => Promise<void>): Promise<void>;
};

/** Sends the service's mails, or has somebody else send them (`hand`). */
export function createMailSender(
  mailer: Mailer,
  waitMs: number,
  logger: Pick<FastifyBaseLogger, 'error'>,
): MailSender {
  const delivery = createDelivery({ waitMs, logger, what: 'mail', failure: 'email_send_failed' });
  return {
    ...delivery,
    send: (mail, undo) => delivery.hand(mail.subject, () => mailer.send(mail), undo),
  };
}
