import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log.ts';
import { readTableChange } from './read-table-change.ts';
import type { SubscriptionListener, TableSubscription } from './realtime-source.ts';
import { reconnectDelay } from './reconnect-delay.ts';

/** One subscription on a socket. */
export interface TableChannel {
  readonly isLive: () => boolean;
  readonly cancel: () => void;
}

interface TableChannelOptions {
  readonly client: RealtimeClient;
  readonly subscription: TableSubscription;
  readonly listener: SubscriptionListener;
  /** Asks for a new access token: the service refused the one it has. */
  readonly renewToken: () => void;
  readonly onState: (live: boolean) => void;
  /** Another one each time: the client would hand out a channel that is still being left. */
  readonly nextTopic: (name: string) => string;
}

/**
 * Keeps one subscription joined. The client joins again by itself after a lost socket or a refusal; a channel that the
 * service has closed (an expired token) is opened anew here.
 */
export function openTableChannel(options: TableChannelOptions): TableChannel {
  const { client, listener, onState } = options;
  let channel: RealtimeChannel | null = null;
  let live = false;
  let cancelled = false;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const become = (next: boolean) => {
    if (next === live || cancelled) return;
    live = next;
    if (live) {
      tries = 0;
      listener.onLive();
    }
    onState(live);
  };
  const open = async () => {
    // Before the join, which carries it: without a token the service would show what a visitor sees.
    await client.setAuth();
    if (cancelled) return;
    channel = joinChannel(options, { become, onClosed: openLater });
  };
  const openLater = () => {
    become(false);
    if (cancelled) return;
    clearTimeout(timer);
    tries += 1;
    timer = setTimeout(openNow, reconnectDelay(tries));
  };
  const openNow = () => {
    open().catch((reason: unknown) => {
      log.warn('the change feed cannot be opened', reason);
      openLater();
    });
  };
  openNow();

  return {
    isLive: () => live,
    cancel: () => {
      cancelled = true;
      live = false;
      clearTimeout(timer);
      if (channel) void client.removeChannel(channel);
    },
  };
}

interface ChannelEvents {
  readonly become: (live: boolean) => void;
  readonly onClosed: () => void;
}

function joinChannel(
  { client, subscription, listener, renewToken, nextTopic }: TableChannelOptions,
  { become, onClosed }: ChannelEvents,
): RealtimeChannel {
  const { name, table, event, filter } = subscription;
  const channel = client.channel(nextTopic(name));
  return channel
    .on(
      'postgres_changes',
      { event, schema: 'public', table, ...(filter === undefined ? {} : { filter }) } as {
        readonly event: '*';
        readonly schema: string;
      },
      (payload) => {
        const change = readTableChange(payload);
        if (change) listener.onChange(change);
        else log.warn('a change that names no row', payload);
      },
    )
    .on('system', {}, ({ extension, status, message }) => {
      if (extension !== 'postgres_changes') return;
      // Only now are changes delivered: joining alone promises nothing.
      become(status === 'ok');
      if (status !== 'ok') log.warn('the change feed does not deliver', table, message);
    })
    .subscribe((status, error) => {
      if (status === 'SUBSCRIBED') return;
      become(false);
      log.realtime(name, status, error);
      if (status === 'CHANNEL_ERROR') renewToken();
      if (status === 'CLOSED') onClosed();
    });
}
