import type { Caller } from '../../../kernel/caller-context.ts';
import type { ChannelSocket } from '../channels/channel.ts';
import type { SocketLimits } from './socket-limits.ts';

/** As upstream says it (protocol note, section 3.1), whatever part is full. */
export const TOO_MANY_SOCKETS = 'ConnectionRateLimitReached: Too many connected users';

type Guest = ChannelSocket & { readonly openedAt: number; cutOff(why: 'crowd'): void };

/** Who holds the process's sockets, so that no network and no person holds all of them. */
export type SocketPlaces = {
  /** Whether one more socket may open from this network; somebody who never signed in may have to make room for it. */
  hasRoom(network: string): boolean;
  open(socket: Guest, network: string): void;
  close(socket: ChannelSocket): void;
  /** Counts a socket for the person who uses it. @returns false when the person has as many as one person may. */
  signIn(socket: ChannelSocket, caller: Caller): boolean;
};

type Limits = Pick<
  SocketLimits,
  'sockets' | 'socketsPerNetwork' | 'socketsPerPerson' | 'visitors' | 'visitorMs'
>;

export function createSocketPlaces(limits: Limits, now: () => number): SocketPlaces {
  const open = new Map<ChannelSocket, { readonly network: string; readonly people: Set<string> }>();
  const networks = createCount();
  const people = createCount();
  /** Nobody has signed in on these; the oldest first. */
  const visitors = new Set<Guest>();

  function close(socket: ChannelSocket): void {
    const place = open.get(socket);
    if (!place) return;
    open.delete(socket);
    visitors.delete(socket as Guest);
    networks.remove(place.network);
    for (const sub of place.people) people.remove(sub);
  }

  /** A page signs in with its first join, so that whoever has not done so for a while can come back later. */
  function evictVisitor(): boolean {
    const [oldest] = visitors;
    if (oldest === undefined || now() - oldest.openedAt < limits.visitorMs) return false;
    close(oldest);
    oldest.cutOff('crowd');
    return true;
  }

  return {
    close,
    hasRoom(network) {
      if (networks.get(network) >= limits.socketsPerNetwork) return false;
      const isFull = open.size >= limits.sockets || visitors.size >= limits.visitors;
      return !isFull || evictVisitor();
    },
    open(socket, network) {
      open.set(socket, { network, people: new Set() });
      networks.add(network);
      visitors.add(socket);
    },
    signIn(socket, { role, claims }) {
      const place = open.get(socket);
      if (!place || role === 'anon') return true;
      const { sub } = claims;
      if (typeof sub === 'string' && !place.people.has(sub)) {
        if (people.get(sub) >= limits.socketsPerPerson) return false;
        place.people.add(sub);
        people.add(sub);
      }
      visitors.delete(socket as Guest);
      return true;
    },
  };
}

function createCount() {
  const counts = new Map<string, number>();
  const get = (name: string) => counts.get(name) ?? 0;
  return {
    get,
    add: (name: string) => void counts.set(name, get(name) + 1),
    remove(name: string) {
      if (get(name) > 1) counts.set(name, get(name) - 1);
      else counts.delete(name);
    },
  };
}
