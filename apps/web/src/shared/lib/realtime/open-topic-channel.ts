import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log.ts';
import { type ChannelEvents, type KeptChannel, keepChannelOpen } from './keep-channel-open.ts';
import type { TopicListener } from './realtime-source.ts';

interface TopicChannelOptions {
  readonly client: RealtimeClient;
  readonly topic: string;
  readonly event: string;
  readonly listener: TopicListener;
  /** Asks for a new access token: the service refused the one it has. */
  readonly renewToken: () => void;
  readonly onState: (live: boolean) => void;
}

/** Keeps listening to one event of a private topic, in which only the database speaks. */
export function openTopicChannel(options: TopicChannelOptions): KeptChannel {
  const { client, listener, onState } = options;
  return keepChannelOpen({
    client,
    join: (events) => joinChannel(options, events),
    onLive: listener.onLive,
    onState,
  });
}

function joinChannel(
  { client, topic, event, listener, renewToken }: TopicChannelOptions,
  { become, onClosed }: ChannelEvents,
): RealtimeChannel {
  return client
    .channel(topic, { config: { private: true } })
    .on('broadcast', { event }, () => listener.onEvent())
    .subscribe((status, error) => {
      become(status === 'SUBSCRIBED');
      if (status === 'SUBSCRIBED') return;
      log.realtime(topic, status, error);
      if (status === 'CHANNEL_ERROR') renewToken();
      if (status === 'CLOSED') onClosed(listener.onEvent);
    });
}
