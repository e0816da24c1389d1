import type { RealtimeSource, RealtimeState } from '../../shared/lib/realtime/realtime-source.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';

export interface LiveSubscription {
  readonly name: string;
  readonly status: 'live' | 'waiting' | 'cancelled';
}

/** What screens know of the change feed. */
export interface LiveView {
  readonly state: RealtimeState;
  readonly subscriptions: readonly LiveSubscription[];
  /** Goes up each time the screens have changed because of somebody else. */
  readonly newsCount: number;
}

/** What screens may ask of the change feed: for one subscription by its name, or for all. */
export interface LiveControl {
  readonly cancel: (name: string) => void;
  readonly resume: (name: string) => void;
  readonly cancelAll: () => void;
  readonly resumeAll: () => void;
  /** Shows oneself where others may be, and sees them. */
  readonly meet: RealtimeSource['meet'];
}

export interface LiveStore {
  readonly getView: () => LiveView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Each change as it arrives, own ones too. */
  readonly onChange: (listener: (change: TableChange) => void) => () => void;
  /** Null before the feed's code has come, and where there is none. */
  readonly getControl: () => LiveControl | null;
  readonly publish: {
    readonly view: (view: Omit<LiveView, 'newsCount'>) => void;
    readonly news: () => void;
    readonly change: (change: TableChange) => void;
    readonly control: (control: LiveControl | null) => void;
  };
}

const NOTHING: LiveView = { state: 'stopped', subscriptions: [], newsCount: 0 };

/** Between the change feed, whose code comes late, and the screens that show how it is. */
export function createLiveStore(): LiveStore {
  let view = NOTHING;
  let control: LiveControl | null = null;
  const listeners = new Set<() => void>();
  const changeListeners = new Set<(change: TableChange) => void>();
  const become = (next: LiveView) => {
    view = next;
    for (const listener of listeners) listener();
  };
  return {
    getView: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onChange: (listener) => {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    getControl: () => control,
    publish: {
      view: (next) => become({ ...next, newsCount: view.newsCount }),
      news: () => become({ ...view, newsCount: view.newsCount + 1 }),
      change: (change) => {
        for (const listener of changeListeners) listener(change);
      },
      control: (next) => {
        control = next;
        become(view);
      },
    },
  };
}
