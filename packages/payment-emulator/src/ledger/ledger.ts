import { isDeepStrictEqual } from 'node:util';
import type { StoredRow, StoreQuery, StoreTransaction } from '../store/emulator-store.ts';
import { isWebhookEvent } from '../webhooks/webhook-events.ts';
import { createId } from './ids.ts';
import type { EmulatorEvent, Kind, ObjectOf } from './object-kinds.ts';

/** Who caused what happens: goes into the events. */
export type LedgerCause = { readonly requestId: string | null; readonly idempotencyKey: string | null };

export type Changes = {
  /** When the emulator has to see to the object by itself, in seconds on its clock; null: never. Left out: as before. */
  readonly dueAt?: number | null;
};

/**
 * The objects as one transaction sees and changes them. What was found may be changed in place, and the
 * change is kept; `save` is for what is new or becomes due at another time. The same id is always the same object.
 */
export type Ledger = {
  /** What time it is on the emulator's clock; seconds since 1970. */
  readonly time: number;
  /** The public address of the pages, without a slash at the end. */
  readonly siteUrl: string;
  find<K extends Kind>(kind: K, id: string | null | undefined): Promise<ObjectOf[K] | undefined>;
  /** The object with this id, whatever it is. What the emulator keeps for itself is not found. */
  findAny(id: string): Promise<object | undefined>;
  /** @throws when it does not exist, which only a fault of the emulator can cause. */
  require<K extends Kind>(kind: K, id: string | null | undefined): Promise<ObjectOf[K]>;
  /** Newest first. */
  list<K extends Kind>(kind: K, query?: Omit<StoreQuery, 'kind'>): Promise<ObjectOf[K][]>;
  save<K extends Kind>(kind: K, object: ObjectOf[K], changes?: Changes): void;
  remove(id: string): void;
  /**
   * Writes an event with the object as it is now, and its delivery.
   * @param before the object as it was, for `previous_attributes`.
   */
  emit(type: string, object: object, before?: object): void;
};

export type LedgerOptions = {
  readonly time: number;
  readonly siteUrl: string;
  readonly apiVersion: string | null;
  readonly cause?: LedgerCause | undefined;
};

type Entry = {
  readonly kind: Kind;
  readonly object: { id: string };
  dueAt: number | null;
  /** As it stands in the store: what differs is written. */
  stored: string | null;
};

/** Opens the ledger of one transaction. `flush` writes what is new or has changed; call it last. */
export function openLedger(
  transaction: StoreTransaction,
  { time, siteUrl, apiVersion, cause }: LedgerOptions,
): Ledger & { flush(): Promise<void> } {
  const entries = new Map<string, Entry>();
  const removed: string[] = [];

  function adopt<K extends Kind>(row: StoredRow): ObjectOf[K] {
    const known = entries.get(row.id);
    if (known) return known.object as ObjectOf[K];
    const object = row.data as ObjectOf[K];
    const dueAt = row.dueAt === null ? null : row.dueAt / 1000;
    entries.set(row.id, { kind: row.kind as Kind, object, dueAt, stored: JSON.stringify([object, dueAt]) });
    return object;
  }

  async function flush(): Promise<void> {
    const rows: StoredRow[] = [];
    for (const entry of entries.values()) {
      const { object, kind, dueAt } = entry;
      const text = JSON.stringify([object, dueAt]);
      if (text === entry.stored) continue;
      entry.stored = text;
      const data = structuredClone(object) as unknown as StoredRow['data'];
      rows.push({ id: object.id, kind, data, dueAt: dueAt === null ? null : Math.round(dueAt * 1000) });
    }
    if (rows.length > 0) await transaction.save(rows);
  }

  const ledger: Ledger & { flush(): Promise<void> } = {
    time,
    siteUrl,
    async find(kind, id) {
      if (typeof id !== 'string' || removed.includes(id)) return undefined;
      const known = entries.get(id);
      if (known) return known.kind === kind ? (known.object as ObjectOf[typeof kind]) : undefined;
      const row = await transaction.find(id);
      return row?.kind === kind ? adopt<typeof kind>(row) : undefined;
    },
    async findAny(id) {
      const known = entries.get(id);
      if (known) return known.kind.startsWith('emulator.') ? undefined : known.object;
      const row = removed.includes(id) ? undefined : await transaction.find(id);
      return row && !row.kind.startsWith('emulator.') ? adopt(row) : undefined;
    },
    async require(kind, id) {
      const object = await ledger.find(kind, id);
      if (!object) throw new Error(`the emulator lost ${kind} ${id}`);
      return object;
    },
    async list(kind, query = {}) {
      await flush();
      const rows = await transaction.list({ kind, ...query });
      return rows.filter(({ id }) => !removed.includes(id)).map((row) => adopt<typeof kind>(row));
    },
    save(kind, object, { dueAt } = {}) {
      const known = entries.get(object.id);
      entries.set(object.id, {
        kind,
        object,
        dueAt: dueAt === undefined ? (known?.dueAt ?? null) : dueAt,
        stored: known?.stored ?? null,
      });
    },
    remove(id) {
      entries.delete(id);
      removed.push(id);
    },
    emit(type, object, before) {
      const isDelivered = isWebhookEvent(type);
      const event: EmulatorEvent = {
        id: createId('evt'),
        object: 'event',
        api_version: apiVersion,
        created: Math.floor(time),
        data: {
          object: structuredClone(object),
          ...(before ? { previous_attributes: findChanges(before, object) } : {}),
        },
        livemode: false,
        pending_webhooks: isDelivered ? 1 : 0,
        request: { id: cause?.requestId ?? null, idempotency_key: cause?.idempotencyKey ?? null },
        type,
      };
      ledger.save('event', event);
      if (!isDelivered) return;
      const delivery: ObjectOf['emulator.delivery'] = {
        id: createId('dlv'),
        object: 'emulator.delivery',
        created: event.created,
        event: event.id,
        attempts: 0,
        leasedUntil: 0,
        status: 'pending',
        lastFailure: null,
      };
      ledger.save('emulator.delivery', delivery, { dueAt: time });
    },
    async flush() {
      await flush();
      if (removed.length > 0) await transaction.remove(removed);
    },
  };
  return ledger;
}

/** The fields that differ, with the values they had: Stripe's `previous_attributes`. */
function findChanges(before: object, after: object): Record<string, unknown> {
  const now = after as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, now[name])),
  );
}
