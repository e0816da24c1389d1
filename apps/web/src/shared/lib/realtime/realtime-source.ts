import type { TableChange } from './table-change.ts';

/** Nothing is asked for; being asked for; all that is asked for is delivered; some of it is not, for now. */
export type RealtimeState = 'stopped' | 'connecting' | 'live' | 'interrupted';

/** Changes of some rows of one table. */
export interface TableSubscription {
  /** Unique among the subscriptions of a source. */
  readonly name: string;
  readonly table: string;
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  /** As the protocol writes it: `user_id=eq.<id>`. */
  readonly filter?: string;
}

export interface SubscriptionListener {
  readonly onChange: (change: TableChange) => void;
  /** Changes made from now on are delivered; those made before, while it was not so, are not known. */
  readonly onLive: () => void;
}

export interface TopicListener {
  /**
   * What was sent does not matter: whoever is told asks for what they may see. Called as well when the service ends the channel, which
   * it does when the session has ended.
   */
  readonly onEvent: () => void;
  /** Sent from now on, it arrives; what was sent before, while it was not so, is not known. */
  readonly onLive: () => void;
}

/** Where changes come from. */
export interface RealtimeSource {
  /** Returns how to cancel it, and it alone. */
  readonly subscribe: (subscription: TableSubscription, listener: SubscriptionListener) => () => void;
  /** Listens to one event of a private topic; cancelled like a subscription, whose names it shares. */
  readonly listen: (topic: string, event: string, listener: TopicListener) => () => void;
  /**
   * Shows oneself in a private topic under a key, and tells whose keys are there, again and again, one's own among them; nobody's while it
   * is not known. It counts for no state: what is shown is as true without it. Returns how to leave.
   */
  readonly meet: (topic: string, key: string, onKeys: (keys: readonly string[]) => void) => () => void;
  readonly getState: () => RealtimeState;
  readonly isLive: (name: string) => boolean;
  /** Told when the state, or that of one subscription, has changed. */
  readonly onStateChange: (listener: () => void) => () => void;
  /** Cancels all and hangs up, for good. */
  readonly stop: () => void;
}
