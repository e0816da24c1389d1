import { vi } from 'vitest';
import type {
  RealtimeSource,
  SubscriptionListener,
  TableSubscription,
  TopicListener,
} from '../lib/realtime/realtime-source.ts';
import type { ChangedRow, ChangeOperation, TableChange } from '../lib/realtime/table-change.ts';

interface Told {
  readonly table: string;
  readonly operation: ChangeOperation;
  readonly row?: ChangedRow;
  readonly before?: ChangedRow;
  readonly committedAt?: string;
}

/** A change feed that says what a test says. `live: false` joins only when the test calls `setLive(true)`. */
export function createFakeRealtime({ live = true } = {}) {
  const open = new Map<string, { subscription: TableSubscription; listener: SubscriptionListener }>();
  const topics = new Map<string, TopicListener>();
  const meetings = new Map<string, { readonly key: string; tell(keys: readonly string[]): void }>();
  const listeners = new Set<() => void>();
  let isLive = live;
  const change = () => {
    for (const listener of [...listeners]) listener();
  };
  const stop = vi.fn(() => {
    open.clear();
    topics.clear();
  });
  const source: RealtimeSource = {
    subscribe: (subscription, listener) => {
      open.set(subscription.name, { subscription, listener });
      if (isLive) queueMicrotask(listener.onLive);
      return () => {
        open.delete(subscription.name);
        change();
      };
    },
    listen: (topic, event, listener) => {
      topics.set(`${topic}/${event}`, listener);
      if (isLive) queueMicrotask(listener.onLive);
      return () => topics.delete(`${topic}/${event}`);
    },
    meet: (topic, key, tell) => {
      meetings.set(topic, { key, tell });
      return () => meetings.delete(topic);
    },
    getState: () => (open.size + topics.size === 0 ? 'stopped' : isLive ? 'live' : 'interrupted'),
    isLive: (name) => isLive && open.has(name),
    onStateChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
  return {
    source,
    stop,
    subscriptions: () => [...open.values()].map(({ subscription }) => subscription),
    setLive: (next: boolean) => {
      isLive = next;
      change();
      if (!isLive) return;
      for (const { listener } of [...open.values()]) listener.onLive();
      for (const { onLive } of [...topics.values()]) onLive();
    },
    /** Sends an event on a topic; true when somebody listened to it. */
    send: (topic: string, event: string): boolean => {
      const listener = isLive ? topics.get(`${topic}/${event}`) : undefined;
      listener?.onEvent();
      return listener !== undefined;
    },
    /** As whom the person shows themselves in a topic; undefined: not at all. */
    shownIn: (topic: string): string | undefined => meetings.get(topic)?.key,
    /** Has others be in a topic, beside whoever shows themselves there. */
    gather: (topic: string, ...keys: readonly string[]) => {
      const meeting = meetings.get(topic);
      meeting?.tell([meeting.key, ...keys]);
    },
    /** Tells a change to whoever listens to its table, as the service would after a commit. */
    tell: ({ table, operation, row = {}, before = {}, committedAt = new Date().toISOString() }: Told) => {
      const key = row['id'] ?? before['id'] ?? row['category_id'] ?? before['category_id'] ?? row['user_id'];
      const told: TableChange = { table, operation, row, before, committedAt, id: String(key) };
      for (const { subscription, listener } of [...open.values()])
        if (subscription.table === table) listener.onChange(told);
    },
  };
}
