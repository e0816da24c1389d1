import type { RealtimeSource, TableSubscription } from '../../shared/lib/realtime/realtime-source.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { LiveControl, LiveSubscription } from './live-store.ts';

/** The subscriptions that are wanted; each may be cancelled and resumed by the person. */
export interface KeptSubscriptions extends Omit<LiveControl, 'meet'> {
  /**
   * Wants it, unless the person has cancelled it. In the place of one of the same name.
   * @param onFirstLive called instead of `onLive` the first time that it delivers.
   */
  readonly want: (subscription: TableSubscription, onFirstLive?: () => void) => void;
  /** Does not want it any more. */
  readonly leave: (name: string) => void;
  readonly list: () => readonly LiveSubscription[];
}

interface KeepOptions {
  readonly onChange: (change: TableChange) => void;
  /** A subscription delivers from now on; what was before is not known. */
  readonly onLive: () => void;
  /** The list is another one. */
  readonly onListChange: () => void;
}

/** Keeps a source subscribed to what is wanted. */
export function keepSubscriptions(
  source: RealtimeSource,
  { onChange, onLive, onListChange }: KeepOptions,
): KeptSubscriptions {
  const wanted = new Map<
    string,
    { readonly subscription: TableSubscription; onFirstLive: (() => void) | null }
  >();
  const open = new Map<string, () => void>();
  const cancelled = new Set<string>();

  const close = (name: string) => {
    open.get(name)?.();
    open.delete(name);
  };
  const start = (name: string) => {
    const entry = wanted.get(name);
    if (entry === undefined || cancelled.has(name) || open.has(name)) return;
    const becomeLive = () => {
      const { onFirstLive } = entry;
      entry.onFirstLive = null;
      (onFirstLive ?? onLive)();
    };
    open.set(name, source.subscribe(entry.subscription, { onChange, onLive: becomeLive }));
  };
  const cancel = (name: string) => {
    cancelled.add(name);
    close(name);
    onListChange();
  };
  const resume = (name: string) => {
    cancelled.delete(name);
    start(name);
    onListChange();
  };
  return {
    want: (subscription, onFirstLive) => {
      const { name } = subscription;
      if (wanted.get(name)?.subscription.filter === subscription.filter && wanted.has(name)) return;
      close(name);
      wanted.set(name, { subscription, onFirstLive: onFirstLive ?? null });
      start(name);
      onListChange();
    },
    leave: (name) => {
      if (!wanted.delete(name)) return;
      close(name);
      onListChange();
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
      for (const name of wanted.keys()) close(name);
      onListChange();
    },
    resumeAll: () => {
      cancelled.clear();
      for (const name of wanted.keys()) start(name);
      onListChange();
    },
  };
}
