import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../channels/channel.ts';
import type { RealtimeContext } from '../realtime-context.ts';

const EXTENSION = 'postgres_changes';
const SUBSCRIBED = 'Subscribed to PostgreSQL';

export type Subscribed = {
  readonly ids: readonly number[];
  /** Why there is no subscription although one was asked for. */
  readonly fault: string | undefined;
};

/** Subscribes to what the join asked for. A malformed request does not refuse the join: a `system` message tells it. */
export function subscribeToChanges({ changes, nextId }: RealtimeContext, channel: Channel): Subscribed {
  const requests = channel.config.changes;
  if (requests.length === 0) return { ids: [], fault: undefined };
  const subscribed = changes.subscribe(channel, requests);
  if (!subscribed.ok) {
    channel.changesFault = subscribed.reason;
    return { ids: requests.map(nextId), fault: subscribed.reason };
  }
  channel.subscription = subscribed.subscription;
  // Whoever announces it handles a rejection; one in between is not unhandled.
  subscribed.subscription.ready.catch(() => undefined);
  return { ids: subscribed.subscription.ids, fault: undefined };
}

/** With `postgres_changes_options.wait` the reply waits for the subscription. @returns the reason to refuse the join. */
export async function waitForChanges(
  { config, subscription }: Channel,
  { fault }: Subscribed,
): Promise<string | undefined> {
  if (config.waitMs === undefined || config.changes.length === 0) return undefined;
  if (fault !== undefined) return `RealtimeDisabledForConfiguration: ${fault}`;
  const timeout = new AbortController();
  const tooLate = sleep(config.waitMs, LATE, { signal: timeout.signal }).catch(() => undefined);
  const outcome = await Promise.race([subscription?.ready.then(() => undefined, toMessage), tooLate]);
  timeout.abort();
  if (outcome === undefined) return undefined;
  return outcome === LATE
    ? `PostgresChangesSubscribeTimeout: Timed out after ${config.waitMs}ms waiting for the postgres_changes subscription`
    : `RealtimeDisabledForConfiguration: ${outcome}`;
}

const LATE = Symbol('late');

/** Tells the channel when its changes are live, and why not; keeps asking while that can help (section 3.2). */
export function announceChanges(context: RealtimeContext, channel: Channel): void {
  const { subscription, changesFault } = channel;
  if (changesFault !== undefined) channel.sendSystem('error', EXTENSION, changesFault);
  if (subscription) start(context, channel, subscription.ready);
}

/** After a renewal: asked anew, for the first answer may be an old one. */
export function announceChangesAgain(context: RealtimeContext, channel: Channel): void {
  const again = channel.subscription?.retry?.();
  if (again) start(context, channel, again);
  else announceChanges(context, channel);
}

function start({ limits }: RealtimeContext, channel: Channel, ready: Promise<void>): void {
  channel.announcements += 1;
  void announce(channel, ready, limits.changesRetryMs);
}

async function announce(channel: Channel, first: Promise<void>, retryMs: number): Promise<void> {
  const turn = channel.announcements;
  const isWanted = () => channel.isOpen && channel.announcements === turn;
  let waiting: Promise<void> | undefined = first;
  while (waiting) {
    const fault: string | undefined = await waiting.then(() => undefined, toMessage);
    if (!isWanted()) return;
    if (fault === undefined) return channel.sendSystem('ok', EXTENSION, SUBSCRIBED);
    channel.sendSystem('error', EXTENSION, fault);
    await sleep(retryMs, undefined, { ref: false });
    waiting = isWanted() ? channel.subscription?.retry?.() : undefined;
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
