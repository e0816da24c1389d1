/** What goes from one copy of the server to the others; JSON-safe, bytes as base64. */
export type PeerMessage = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** The other copies on the same database, reached through the database itself. */
export type ClusterBus = {
  /** This copy's name: a UUID made at start. */
  readonly copyId: string;
  /** To all other copies, in order, never back to this one. Costs nothing while there are none. */
  publish(message: PeerMessage): void;
  /** @returns the way to stop listening. */
  listen(listener: ClusterListener): () => void;
  stop(): Promise<void>;
};

export type ClusterListener = {
  message?(from: string, message: PeerMessage): void;
  /** A copy has come: tell it what it must know (presence). */
  joined?(copyId: string): void;
  /** A copy has gone, or nothing has come from it for too long: what it held is no more. */
  left?(copyId: string): void;
};

/** What the log carries: messages of one copy, numbered by batch. */
type Envelope = { readonly number: number; readonly messages: readonly PeerMessage[] };

const PREFIX = 'linkoteca:copy:';

export const prefixOf = (copyId: string): string => PREFIX + copyId;

/** @returns the copy that wrote under this prefix; null when it was somebody else. */
export function readSender(prefix: string): string | null {
  return prefix.startsWith(PREFIX) ? prefix.slice(PREFIX.length) : null;
}

/** @returns null when the content is not an envelope: another version of the server, or a hand-made message. */
export function readEnvelope(content: Buffer): Envelope | null {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null) return false;
  const { number, messages } = value as Partial<Envelope>;
  return typeof number === 'number' && Array.isArray(messages) && messages.every(isMessage);
}

function isMessage(value: unknown): value is PeerMessage {
  return typeof value === 'object' && value !== null && typeof (value as PeerMessage).kind === 'string';
}

/** "I am listening from now on: tell me what I must know." */
export const HELLO: PeerMessage = { kind: 'copy:hello' };
/** The answer. */
export const HERE: PeerMessage = { kind: 'copy:here' };
/** "What I held is no more." */
export const BYE: PeerMessage = { kind: 'copy:bye' };
