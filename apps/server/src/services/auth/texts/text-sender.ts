import type { FastifyBaseLogger } from 'fastify';
import type { Texter, TextMessage } from '../../../kernel/text-messages.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { createDelivery, type Delivery } from '../delivery.ts';
import { createTwilioTexter } from './twilio.ts';

export type TextSender = Delivery & {
  /**
   * Sends a text message, and waits for the outcome only for a moment.
   * @param undo called when it could not be sent, sooner or later.
   * @throws sms_send_failed when the failure is known by then.
   */
  send(message: TextMessage, undo: () => Promise<void>): Promise<void>;
};

/** Sends the service's text messages by the provider that the settings name, or else by the given texter. */
export function createTextSender({
  settings,
  texter,
  logger,
}: {
  readonly settings: Pick<AuthSettings, 'twilio' | 'mailWaitMs'>;
  readonly texter: Texter;
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
}): TextSender {
  const { twilio, mailWaitMs: waitMs } = settings;
  const sender: Texter = twilio ? createTwilioTexter(twilio) : texter;
  const delivery = createDelivery({ waitMs, logger, what: 'text message', failure: 'sms_send_failed' });
  return {
    ...delivery,
    send: (message, undo) => delivery.hand(message.channel, () => sender.send(message), undo),
  };
}
