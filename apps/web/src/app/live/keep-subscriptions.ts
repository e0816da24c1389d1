import type {
  RealtimeSource,
  SubscriptionListener,
  TableSubscription,
} from '../../shared/lib/realtime/realtime-source.ts';
import type { LiveControl, LiveSubscription } from './live-store.ts';

/** The subscriptions that are wanted; each may be cancelled and resumed by the person. */
export interface KeptSubscriptions extends LiveControl {
  /** Wants it, unless the person has cancelled it. In the place of one of the same name. */
  readonly want: (subscription: TableSubscription) => void;
  /** Does not want it any more. */
  readonly leave: (name: string) => void;
  readonly list: () => readonly LiveSubscription[];
}

/** @param onChanged called when the list is another one. */
export function keepSubscriptions(
  source: RealtimeSource,
  listener: SubscriptionListener,
  onChanged: () => void,
): KeptSubscriptions {
  const wanted = new Map<string, TableSubscription>();
  const open = new Map<string, () => void>();
  const cancelled = new Set<string>();

  const close = (name: string) => {
    open.get(name)?.();
    open.delete(name);
  };
  const start = (name: string) => {
    const subscription = wanted.get(name);
    if (subscription === undefined || cancelled.has(name) || open.has(name)) return;
    open.set(name, source.subscribe(subscription, listener));
  };
  const cancel = (name: string) => {
    cancelled.add(name);
    close(name);
    onChanged();
  };
  const resume = (name: string) => {
    cancelled.delete(name);
    start(name);
    onChanged();
  };
  return {
    want: (subscription) => {
      const { name } = subscription;
      if (wanted.get(name)?.filter === subscription.filter && wanted.has(name)) return;
      close(name);
      wanted.set(name, subscription);
      start(name);
      onChanged();
    },
    leave: (name) => {
      if (!wanted.delete(name)) return;
      close(name);
      onChanged();
    },
    list: () =>
      [...wanted.keys()].map((name) => ({
        name,
        status: cancelled.has(name) ? 'cancelled' : source.isLive(name) ? 'live' : 'waiting',
      })),
    cancel,
    resume,
    cancelAll: () => {
      for (const name of wanted.keys()) cancelled.add(name);
      open.clear();
      source.cancelAll();
      onChanged();
    },
    resumeAll: () => {
      cancelled.clear();
      for (const name of wanted.keys()) start(name);
      onChanged();
    },
  };
}
