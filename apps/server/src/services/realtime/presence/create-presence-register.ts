import { toKey } from '../channels/create-topics.ts';

type Place = { readonly topic: string; readonly isPrivate: boolean };

/** Who is present where, on all copies, as far as this one knows. */
export type PresenceRegister = {
  find(place: Place, id: string): PresenceEntry | undefined;
  /** A new entry, or a new meta for a known one: then the old meta leaves as the new one joins. */
  put(place: Place, entry: PresenceEntry): void;
  remove(place: Place, id: string): void;
  /** Everything that a copy holds is gone with it. */
  removeCopy(copyId: string): void;
  /** The whole topic as `presence_state` says it. */
  renderState(place: Place): string;
  /** Everything one copy holds, as diffs that only join. */
  held(copyId: string): PresenceDiff[];
  readonly size: number;
  /** How much has happened so far: what `renderState` has told is everything up to here. */
  readonly sequence: number;
  stop(): void;
};

/** An event by its reference, with its number. */
type Numbered = { readonly entry: PresenceEntry; readonly sequence: number };

type Room = Place & {
  readonly entries: Map<string, PresenceEntry>;
  /** Made when somebody asks; empty after a change. */
  stateJson: string | undefined;
  readonly joins: Map<string, Numbered>;
  readonly leaves: Map<string, Numbered>;
};

/** Short enough to feel immediate; long enough that a hundred clients coming at once are a few messages, not a hundred. */
const GATHER_MS = 15;

/** @param onDiff gets what has changed in a topic, gathered over a few milliseconds. */
export function createPresenceRegister(onDiff: (diff: GatheredDiff) => void): PresenceRegister {
  const rooms = new Map<string, Room>();
  let changed = new Set<Room>();
  let timer: NodeJS.Timeout | undefined;
  let size = 0;
  let sequence = 0;

  const flush = () => {
    timer = undefined;
    const flushed = changed;
    changed = new Set();
    for (const room of flushed) {
      const diff = gather(room);
      room.joins.clear();
      room.leaves.clear();
      if (room.entries.size === 0) rooms.delete(toKey(room.topic, room.isPrivate));
      if (diff.joins.length > 0 || diff.leaves.length > 0) onDiff(diff);
    }
  };
  const mark = (room: Room) => {
    room.stateJson = undefined;
    changed.add(room);
    timer ??= setTimeout(flush, GATHER_MS);
  };
  const open = ({ topic, isPrivate }: Place): Room => {
    const key = toKey(topic, isPrivate);
    const known = rooms.get(key);
    if (known) return known;
    const room: Room = {
      topic,
      isPrivate,
      entries: new Map(),
      stateJson: undefined,
      joins: new Map(),
      leaves: new Map(),
    };
    rooms.set(key, room);
    return room;
  };
  const leave = (room: Room, entry: PresenceEntry) => {
    room.entries.delete(entry.id);
    size -= 1;
    // Who came and went unseen is not announced; whoever read the state in between is still told of the leaving.
    room.joins.delete(entry.ref);
    sequence += 1;
    room.leaves.set(entry.ref, { entry, sequence });
    mark(room);
  };
  const find = ({ topic, isPrivate }: Place) => rooms.get(toKey(topic, isPrivate));

  return {
    get size() {
      return size;
    },
    get sequence() {
      return sequence;
    },
    find: (place, id) => find(place)?.entries.get(id),
    put(place, entry) {
      const room = open(place);
      const previous = room.entries.get(entry.id);
      if (previous?.ref === entry.ref) return;
      if (previous) leave(room, previous);
      room.entries.set(entry.id, entry);
      size += 1;
      sequence += 1;
      room.joins.set(entry.ref, { entry, sequence });
      mark(room);
    },
    remove(place, id) {
      const room = find(place);
      const entry = room?.entries.get(id);
      if (room && entry) leave(room, entry);
    },
    removeCopy(copyId) {
      for (const room of rooms.values())
        for (const entry of [...room.entries.values()]) if (entry.copyId === copyId) leave(room, entry);
    },
    renderState(place) {
      const room = find(place);
      if (!room) return '{}';
      room.stateJson ??= renderPresences(room.entries.values());
      return room.stateJson;
    },
    held: (copyId) =>
      [...rooms.values()].flatMap(({ topic, isPrivate, entries }) => {
        const joins = [...entries.values()].filter((entry) => entry.copyId === copyId);
        return joins.length === 0 ? [] : [{ topic, isPrivate, joins, leaves: [] }];
      }),
    stop: () => clearTimeout(timer),
  };
}

function gather({ topic, isPrivate, joins, leaves }: Room): GatheredDiff {
  const [came, gone] = [[...joins.values()], [...leaves.values()]];
  const after = (sequence: number): PresenceDiff => ({
    topic,
    isPrivate,
    joins: came.filter((event) => event.sequence > sequence).map(({ entry }) => entry),
    leaves: gone.filter((event) => event.sequence > sequence).map(({ entry }) => entry),
  });
  // Maps keep the order of insertion: the first of each is its oldest.
  const firstSequence = Math.min(came[0]?.sequence ?? Infinity, gone[0]?.sequence ?? Infinity);
  return { ...after(0), firstSequence, after };
}

/** One client's presence in a topic: what the others are told of it. */
export type PresenceEntry = {
  /** `copy:channel`: one entry a channel, wherever it is connected. */
  readonly id: string;
  /** The copy that holds its connection. */
  readonly copyId: string;
  readonly key: string;
  readonly ref: string;
  /** The whole meta object, `phx_ref` included, as JSON text. */
  readonly metaJson: string;
};

/** What has come and gone in a topic. */
export type PresenceDiff = {
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly joins: readonly PresenceEntry[];
  readonly leaves: readonly PresenceEntry[];
};

/** What is told at once: everything since the last time. */
export type GatheredDiff = PresenceDiff & {
  /** The number of the first of these events, as `PresenceRegister.sequence` counts them. */
  readonly firstSequence: number;
  /** Only what came after the event of that number: for whoever has been told the state since. */
  after(sequence: number): PresenceDiff;
};

/** `{key: {metas: […]}}` as JSON text (protocol note, section 3.4). Keys are people's own words, so no object is built. */
function renderPresences(entries: Iterable<PresenceEntry>): string {
  const metas = new Map<string, string[]>();
  for (const { key, metaJson } of entries) {
    const known = metas.get(key);
    if (known) known.push(metaJson);
    else metas.set(key, [metaJson]);
  }
  const parts = [...metas].map(([key, texts]) => `${JSON.stringify(key)}:{"metas":[${texts.join(',')}]}`);
  return `{${parts.join(',')}}`;
}

export function renderDiff({ joins, leaves }: PresenceDiff): string {
  return `{"joins":${renderPresences(joins)},"leaves":${renderPresences(leaves)}}`;
}

/** The client's own words with the server's reference; what it says about references itself does not count. */
export function renderMeta(
  payload: Readonly<Record<string, unknown>>,
  ref: string,
  previousRef?: string,
): string {
  const { phx_ref: _ref, phx_ref_prev: _previous, ...own } = payload;
  const refs = previousRef === undefined ? { phx_ref: ref } : { phx_ref: ref, phx_ref_prev: previousRef };
  return JSON.stringify({ ...own, ...refs });
}
