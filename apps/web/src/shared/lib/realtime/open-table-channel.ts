import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log.ts';
import { type ChannelEvents, type KeptChannel, keepChannelOpen } from './keep-channel-open.ts';
import { readTableChange } from './read-table-change.ts';
import type { SubscriptionListener, TableSubscription } from './realtime-source.ts';

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

/** Keeps the subscription to changes of one table. */
export function openTableChannel(options: TableChannelOptions): KeptChannel {
  const { client, listener, onState } = options;
  return keepChannelOpen({
    client,
    join: (events) => joinChannel(options, events),
    onLive: listener.onLive,
    onState,
  });
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
