import type { BroadcastMessage } from '../broadcast/broadcast-message.ts';
import type { Channel } from './channel.ts';

/** Who has joined what, on this copy. A private topic and a public one of the same name are two. */
export type Topics = {
  add(channel: Channel): void;
  remove(channel: Channel): void;
  members(topic: string, isPrivate: boolean): Iterable<Channel>;
  /** To every member that may receive it. @param except the sender, when it does not want to receive itself. */
  deliver(message: BroadcastMessage, except?: Channel): void;
  /** Every joined channel of this copy. */
  channels(): Iterable<Channel>;
  readonly size: number;
};

const NOBODY: ReadonlySet<Channel> = new Set();

export function createTopics(): Topics {
  const members = new Map<string, Set<Channel>>();
  let size = 0;

  const find = (topic: string, isPrivate: boolean) => members.get(toKey(topic, isPrivate)) ?? NOBODY;
  return {
    get size() {
      return size;
    },
    add(channel) {
      const key = toKey(channel.topic, channel.isPrivate);
      const known = members.get(key);
      if (known?.has(channel)) return;
      if (known) known.add(channel);
      else members.set(key, new Set([channel]));
      size += 1;
    },
    remove(channel) {
      const key = toKey(channel.topic, channel.isPrivate);
      const known = members.get(key);
      if (!known?.delete(channel)) return;
      size -= 1;
      if (known.size === 0) members.delete(key);
    },
    members: find,
    deliver(message, except) {
      for (const channel of find(message.topic, message.isPrivate)) {
        if (channel !== except && channel.reads.broadcast) channel.receive(message);
      }
    },
    *channels() {
      for (const joined of members.values()) yield* joined;
    },
  };
}

/** The mark cannot be part of a topic's own name in a way that makes two topics one: it comes first. */
export function toKey(topic: string, isPrivate: boolean): string {
  return `${isPrivate ? 'private' : 'public'}:${topic}`;
}
