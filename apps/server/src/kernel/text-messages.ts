import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { AuthConfig } from './settings.ts';

/** How a text message travels. */
export type TextChannel = 'sms' | 'whatsapp';

export type TextMessage = {
  /** E.164 without the plus. */
  readonly to: string;
  readonly channel: TextChannel;
  readonly text: string;
  /** The code that the text has in it, for providers that fill in a template of their own. */
  readonly code: string;
};

export type Texter = {
  /** Resolves when the message was handed over. Nothing is retried. @throws when it was not. */
  send(message: TextMessage): Promise<void>;
};

/** A message that nobody sent, as its file has it. */
export type StoredText = Pick<TextMessage, 'to' | 'channel' | 'text'> & {
  /** ISO 8601. */
  readonly date: string;
};

/** The end of such a file's name. */
export const TEXT_FILE_SUFFIX = '.sms';

/** Whether people sign in by phone, or have one as a second factor, and nobody sends what is texted to them. */
export function keepsTexts(auth: AuthConfig): boolean {
  const { phoneEnabled, phoneFactorEnrollEnabled, phoneFactorVerifyEnabled, twilio, hooks } = auth;
  const isTexted = [phoneEnabled, phoneFactorEnrollEnabled, phoneFactorVerifyEnabled].includes(true);
  return isTexted && twilio === undefined && hooks?.send_sms === undefined;
}

/**
 * Keeps text messages on this computer: in the log, and as files beside the mails, where `/dev/mail` shows them.
 * @param folder created when missing. Texts have codes that sign people in: only the server's own user may read them.
 */
export function createFolderTexter(folder: string, logger: Pick<Logger, 'info'>): Texter {
  return {
    async send({ to, channel, text }) {
      const stored: StoredText = { to, channel, text, date: new Date().toISOString() };
      logger.info({ to, channel, text }, 'a text message that nobody sends');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${stored.date.replaceAll(':', '-')}-${randomUUID()}`;
      const draft = join(folder, `.${name}.part`);
      await writeFile(draft, JSON.stringify(stored), { mode: 0o600 });
      // A reader of the folder sees a whole message or none.
      await rename(draft, join(folder, `${name}${TEXT_FILE_SUFFIX}`));
    },
  };
}
