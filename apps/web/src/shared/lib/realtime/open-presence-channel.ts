import type { RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log.ts';
import { type KeptChannel, keepChannelOpen } from './keep-channel-open.ts';

interface PresenceChannelOptions {
  readonly client: RealtimeClient;
  readonly topic: string;
  /** As whom one is there. */
  readonly key: string;
  /** Who is there now, oneself among them; nobody while it is not known. */
  readonly onKeys: (keys: readonly string[]) => void;
  /** Asks for a new access token: the service refused the one it has. */
  readonly renewToken: () => void;
}

/** Shows oneself in a private topic, and keeps seeing who else is there. */
export function openPresenceChannel(options: PresenceChannelOptions): KeptChannel {
  const { client, topic, key, onKeys, renewToken } = options;
  return keepChannelOpen({
    client,
    join: ({ become, onClosed }) => {
      const channel = client.channel(topic, { config: { private: true, presence: { key } } });
      const show = async () => {
        const answer = await channel.track({});
        if (answer !== 'ok') log.warn('the service does not show who is here', topic, answer);
      };
      return channel
        .on('presence', { event: 'sync' }, () => onKeys(Object.keys(channel.presenceState())))
        .subscribe((status, error) => {
          become(status === 'SUBSCRIBED');
          if (status === 'SUBSCRIBED') return void show();
          log.realtime(topic, status, error);
          if (status === 'CHANNEL_ERROR') renewToken();
          return status === 'CLOSED' ? onClosed() : undefined;
        });
    },
    onLive: () => undefined,
    onState: (live) => {
      if (!live) onKeys([]);
    },
  });
}
