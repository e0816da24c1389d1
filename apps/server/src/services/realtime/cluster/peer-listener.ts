import type { Logger } from 'pino';
import type { CopyListener, CopyMessage } from './cluster-bus.ts';
import { BYE, HELLO, HERE, readEnvelope, readSender } from './envelope.ts';
import type { Roster } from './peer-registry.ts';

export type CopyEarOptions = {
  readonly copyId: string;
  readonly roster: Roster;
  readonly events: Required<CopyListener>;
  /** Sends to all others. */
  readonly say: (message: CopyMessage) => void;
  readonly logger: Pick<Logger, 'warn'>;
};

export type CopyEar = {
  /** What the feed has heard under a prefix. */
  hear(prefix: string, content: Buffer): void;
  /** That copy is no more. */
  forget(copyId: string): void;
};

/** Understands what other copies say: greetings are answered, the rest is passed on, each batch once. */
export function createCopyEar({ copyId, roster, events, say, logger }: CopyEarOptions): CopyEar {
  const lastBatches = new Map<string, number>();

  function forget(other: string): void {
    lastBatches.delete(other);
    events.left(other);
  }

  function receive(from: string, message: CopyMessage): void {
    if (message.kind === HELLO.kind) {
      say(HERE);
      events.joined(from);
    } else if (message.kind === BYE.kind) {
      if (roster.leave(from)) forget(from);
    } else if (message.kind !== HERE.kind) {
      events.message(from, message);
    }
  }

  /** A greeting in front says why it is unknown; anything else means that its own greeting was missed. */
  function meet(from: string, first: CopyMessage | undefined): void {
    if (first?.kind === HELLO.kind) return;
    if (first?.kind !== HERE.kind) say(HELLO);
    events.joined(from);
  }

  return {
    forget,
    hear(prefix, content) {
      const from = readSender(prefix);
      if (from === null || from === copyId) return;
      const envelope = readEnvelope(content);
      if (envelope === null) {
        logger.warn({ copy: from }, 'another copy says what cannot be understood');
        return;
      }
      const standing = roster.hear(from);
      if (standing === 'gone' || envelope.number <= (lastBatches.get(from) ?? 0)) return;
      lastBatches.set(from, envelope.number);
      if (standing === 'new') meet(from, envelope.messages[0]);
      for (const message of envelope.messages) receive(from, message);
    },
  };
}
