import type { Caller } from '../../../kernel/caller-context.ts';

export type TopicExtension = 'broadcast' | 'presence';

/** What policies on `realtime.messages` let a caller do in a private channel (protocol note, section 3.5). */
export type TopicAccess = {
  /** Which extensions may be heard. */
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

/** A row of `realtime.messages`. */
export type StoredMessage = {
  readonly id: string;
  readonly topic: string;
  readonly event: string;
  readonly isPrivate: boolean;
  /** JSON text; null when the payload is bytes. */
  readonly payloadJson: string | null;
  readonly bytes: Buffer | null;
};
