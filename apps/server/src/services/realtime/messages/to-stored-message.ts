import type { StoredMessage } from '../authorization/topic-access.ts';

/** A row of `realtime.messages` as a query returns it, the payload as text. */
export type MessageRow = {
  readonly id: string;
  readonly topic: string;
  readonly event: string;
  readonly private: boolean | null;
  readonly payload: string | null;
  readonly binary_payload: Buffer | null;
};

export function toStoredMessage(row: MessageRow): StoredMessage {
  const { id, topic, event, binary_payload: bytes } = row;
  // Without any payload it is JSON's null that is broadcast.
  return {
    id,
    topic,
    event,
    isPrivate: row.private === true,
    payloadJson: bytes === null ? (row.payload ?? 'null') : null,
    bytes,
  };
}
