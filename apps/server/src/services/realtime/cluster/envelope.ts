import type { CopyMessage } from './cluster-bus.ts';

/** What the log carries: messages of one copy, numbered by batch. */
export type CopyEnvelope = { readonly number: number; readonly messages: readonly CopyMessage[] };

const PREFIX = 'linkoteca:copy:';

export const prefixOf = (copyId: string): string => PREFIX + copyId;

/** @returns the copy that wrote under this prefix; null when it was somebody else. */
export function readSender(prefix: string): string | null {
  return prefix.startsWith(PREFIX) ? prefix.slice(PREFIX.length) : null;
}

/** @returns null when the content is not an envelope: another version of the server, or a hand-made message. */
export function readEnvelope(content: Buffer): CopyEnvelope | null {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}

function isEnvelope(value: unknown): value is CopyEnvelope {
  if (typeof value !== 'object' || value === null) return false;
  const { number, messages } = value as Partial<CopyEnvelope>;
  return typeof number === 'number' && Array.isArray(messages) && messages.every(isMessage);
}

function isMessage(value: unknown): value is CopyMessage {
  return typeof value === 'object' && value !== null && typeof (value as CopyMessage).kind === 'string';
}

/** "I am listening from now on: tell me what I must know." */
export const HELLO: CopyMessage = { kind: 'copy:hello' };
/** The answer. */
export const HERE: CopyMessage = { kind: 'copy:here' };
/** "What I held is no more." */
export const BYE: CopyMessage = { kind: 'copy:bye' };
