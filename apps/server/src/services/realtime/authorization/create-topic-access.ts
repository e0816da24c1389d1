import type { Logger } from 'pino';
import { type Caller, serialiseClaims } from '../../../kernel/caller-context.ts';
import { type Database, queryAsRealtimeAdmin, type Statement } from '../../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../../kernel/log-failure.ts';
import type { StoredMessage } from '../messages/stored-message.ts';
import { listReplayedMessages } from '../messages/stored-messages.ts';

export type TopicExtension = 'broadcast' | 'presence';

/** What policies on `realtime.messages` let a caller do in a private channel (protocol note, section 3.5). */
export type TopicAccess = {
  /** Which extensions may be received. */
  canRead(
    caller: Caller,
    topic: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<TopicExtension, boolean>>>;
  canWrite(
    caller: Caller,
    topic: string,
    extension: TopicExtension,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean>;
  /** Stored messages of a private topic, oldest first: at most 25, none from before `since` (milliseconds since 1970). */
  replay(
    topic: string,
    options: { readonly since: number; readonly limit: number },
  ): Promise<readonly StoredMessage[]>;
};

export type TopicAccessDeps = {
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn'>;
};

/**
 * Asks the policies of `realtime.messages` what a caller may do in a private channel (protocol note, section 3.5), one round
 * trip a question; nothing is remembered. A policy that fails allows nothing and is logged.
 * @throws when the database cannot be asked (`isDatabaseUnavailable`): the same question may be answered a moment later.
 */
export function createTopicAccess({ db, logger }: TopicAccessDeps): TopicAccess {
  /** @returns undefined when a policy could not be evaluated. */
  async function ask<T>(statement: Statement, topic: string, caller: Caller): Promise<T | null | undefined> {
    try {
      const { rows } = await queryAsRealtimeAdmin<{ answer: T | null }>(db, statement);
      return rows[0]?.answer;
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      logger.warn({ err, topic, role: caller.role }, 'a policy of realtime.messages failed: access denied');
      return undefined;
    }
  }

  return {
    canRead: async (caller, topic, headers) => {
      const readable = await ask<string[]>(
        {
          name: 'realtime_readable',
          text: 'select realtime.readable_extensions($1, $2, $3, $4) as answer',
          values: identify(caller, topic, headers),
        },
        topic,
        caller,
      );
      return {
        broadcast: readable?.includes('broadcast') === true,
        presence: readable?.includes('presence') === true,
      };
    },
    canWrite: async (caller, topic, extension, headers) => {
      const writable = await ask<boolean>(
        {
          name: 'realtime_writable',
          text: 'select realtime.is_writable($1, $2, $3, $4, $5) as answer',
          values: [...identify(caller, topic, headers), extension],
        },
        topic,
        caller,
      );
      return writable === true;
    },
    replay: (topic, options) => listReplayedMessages(db, topic, options),
  };
}

function identify(caller: Caller, topic: string, headers: Readonly<Record<string, string>>): string[] {
  return [caller.role, serialiseClaims(caller.claims), JSON.stringify(headers), topic];
}
