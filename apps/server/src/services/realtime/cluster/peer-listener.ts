import type { Logger } from 'pino';
import {
  BYE,
  type ClusterListener,
  HELLO,
  HERE,
  type PeerMessage,
  readEnvelope,
  readSender,
} from './cluster-bus.ts';
import type { PeerRegistry } from './peer-registry.ts';

export type PeerListenerOptions = {
  readonly copyId: string;
  readonly registry: PeerRegistry;
  readonly events: Required<ClusterListener>;
  /** Sends to all others. */
  readonly send: (message: PeerMessage) => void;
  readonly logger: Pick<Logger, 'warn'>;
};

export type PeerListener = {
  /** What the feed has received under a prefix. */
  receive(prefix: string, content: Buffer): void;
  /** That copy is no more. */
  forget(copyId: string): void;
};

const isHello = (message: PeerMessage): boolean => message.kind === HELLO.kind;

/** Understands what other copies say: greetings are answered, the rest is passed on, each batch once. */
export function createPeerListener({
  copyId,
  registry,
  events,
  send,
  logger,
}: PeerListenerOptions): PeerListener {
  const lastBatches = new Map<string, number>();

  function forget(other: string): void {
    lastBatches.delete(other);
    events.left(other);
  }

  function handleMessage(from: string, message: PeerMessage): void {
    if (isHello(message)) {
      send(HERE);
      events.joined(from);
    } else if (message.kind === BYE.kind) {
      if (registry.leave(from)) forget(from);
    } else if (message.kind !== HERE.kind) {
      events.message(from, message);
    }
  }

  /** A greeting in front says why it is unknown; anything else means that its own greeting was missed. */
  function register(from: string, first: PeerMessage | undefined): void {
    if (first && isHello(first)) return;
    if (first?.kind !== HERE.kind) send(HELLO);
    events.joined(from);
  }

  return {
    forget,
    receive(prefix, content) {
      const from = readSender(prefix);
      if (from === null || from === copyId) return;
      const envelope = readEnvelope(content);
      if (envelope === null) {
        logger.warn({ copy: from }, 'another copy says what cannot be understood');
        return;
      }
      const state = registry.recordMessage(from);
      const last = lastBatches.get(from) ?? 0;
      if (state === 'gone' || envelope.number <= last) return;
      lastBatches.set(from, envelope.number);
      if (state === 'new') register(from, envelope.messages[0]);
      // What was missed, while both had lost the log, may have been its greeting: it asked, and nobody has told it anything.
      else if (last > 0 && envelope.number > last + 1 && !envelope.messages.some(isHello))
        events.joined(from);
      for (const message of envelope.messages) handleMessage(from, message);
    },
  };
}
