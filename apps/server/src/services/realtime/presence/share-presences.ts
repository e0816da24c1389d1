import type { CopyBus, CopyListener, CopyMessage } from '../copies/copy-bus.ts';
import type { PresenceRegister } from './create-presence-register.ts';
import type { PresenceDiff, PresenceEntry } from './presence-entry.ts';

const KIND = 'presence';
/** In front of everything that a copy holds, and behind it: what was not named in between is no more. */
const ALL = 'presence:all';
const END = 'presence:end';
/** Of one message between copies. */
const MOST_ENTRIES = 200;

/** Tells the other copies what has come and gone here; what they hold themselves they know. */
export function publishPresence(bus: Pick<CopyBus, 'copyId' | 'publish'>, diff: PresenceDiff): void {
  const { topic, isPrivate } = diff;
  const joins = diff.joins.filter((entry) => entry.copyId === bus.copyId);
  const leaves = diff.leaves
    .filter((entry) => entry.copyId === bus.copyId)
    .map(({ id, ref }) => ({ id, ref }));
  for (let start = 0; start < Math.max(joins.length, leaves.length); start += MOST_ENTRIES) {
    bus.publish({
      kind: KIND,
      topic,
      isPrivate,
      joins: joins.slice(start, start + MOST_ENTRIES),
      leaves: leaves.slice(start, start + MOST_ENTRIES),
    });
  }
}

/**
 * Keeps the presences of the other copies: each tells its changes, and whenever another may have missed some, all that it holds.
 * A copy that goes takes its presences with it.
 */
export function sharePresences(
  bus: Pick<CopyBus, 'copyId' | 'publish'>,
  register: PresenceRegister,
): Required<CopyListener> {
  /** Of copies that are telling everything: what they have not named yet, and where it is. */
  const doubted = new Map<string, Map<string, PresenceDiff>>();

  function hearDiff(from: string, { topic, isPrivate, joins, leaves }: PresenceDiff): void {
    const place = { topic, isPrivate };
    for (const { id, ref } of leaves as readonly Pick<PresenceEntry, 'id' | 'ref'>[]) {
      // A new meta of the same entry may have come in the meantime: only the one that was meant leaves.
      if (register.find(place, id)?.ref === ref) register.remove(place, id);
    }
    for (const entry of joins) {
      doubted.get(from)?.delete(entry.id);
      register.put(place, entry);
    }
  }

  return {
    message(from: string, message: CopyMessage): void {
      if (message.kind === KIND) hearDiff(from, message as unknown as PresenceDiff);
      else if (message.kind === ALL) {
        const held = register.held(from).flatMap((diff) => diff.joins.map(({ id }) => [id, diff] as const));
        doubted.set(from, new Map(held));
      } else if (message.kind === END) {
        for (const [id, place] of doubted.get(from) ?? []) register.remove(place, id);
        doubted.delete(from);
      }
    },
    joined(): void {
      bus.publish({ kind: ALL });
      for (const diff of register.held(bus.copyId)) publishPresence(bus, diff);
      bus.publish({ kind: END });
    },
    left(copyId: string): void {
      doubted.delete(copyId);
      register.removeCopy(copyId);
    },
  };
}
