import { REALTIME } from '@linkoteca/domain/limits';
import type { GoTrueClient } from '@supabase/auth-js';
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import type { Connection } from '../connection/create-connection.ts';
import type { AppConfig } from '../load-app-config.ts';
import { log } from '../log.ts';
import { type ChannelEvents, type KeptChannel, keepChannelOpen } from './keep-channel-open.ts';
import { openPresenceChannel } from './open-presence-channel.ts';
import { openTableChannel } from './open-table-channel.ts';
import type { RealtimeSource, RealtimeState, TopicListener } from './realtime-source.ts';
import { reconnectDelay } from './reconnect-delay.ts';

interface RealtimeSourceOptions {
  readonly config: Pick<AppConfig, 'supabaseUrl' | 'supabaseAnonKey'>;
  readonly auth: Pick<GoTrueClient, 'getSession' | 'onAuthStateChange'>;
  /** Told when the socket breaks, and followed when the services are back. */
  readonly connection?: Connection | undefined;
  /** The browser's own, unless a test brings another. */
  readonly transport?: typeof WebSocket;
}

/**
 * The official realtime client as a source of changes: one socket, a channel for each subscription, so that each can be
 * cancelled alone. The access token follows the session.
 */
export function createRealtimeSource(options: RealtimeSourceOptions): RealtimeSource {
  const { auth, connection } = options;
  const client = createClient(options);
  const channels = new Map<string, KeptChannel>();
  const listeners = new Set<() => void>();
  let wasLive = false;
  let opened = 0;
  let stopped = false;
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const renewToken = () =>
    void client.setAuth().catch((reason: unknown) => log.warn('no access token for the change feed', reason));

  const readState = (): RealtimeState => {
    if (channels.size === 0) return 'stopped';
    const live = [...channels.values()].every((channel) => channel.isLive());
    if (live) return 'live';
    return wasLive ? 'interrupted' : 'connecting';
  };
  const onChannelState = (live: boolean) => {
    if (readState() === 'live') wasLive = true;
    // The socket may have broken: the services themselves are asked whether they are still there.
    else if (!live && wasLive) void connection?.check();
    tell();
  };

  const { data } = auth.onAuthStateChange((event) => {
    // Later: the auth client holds its own state while it calls back.
    if (event === 'TOKEN_REFRESHED' || event === 'SIGNED_IN' || event === 'MFA_CHALLENGE_VERIFIED')
      setTimeout(renewToken, 0);
  });
  const stopFollowing = connection?.subscribe(() => {
    if (connection.isOnline() && !client.isConnected() && channels.size > 0)
      void client.disconnect().then(() => (stopped ? undefined : client.connect()));
  });
  const stopWatching = watchWaking(client, renewToken);

  const cancel = (name: string) => {
    const channel = channels.get(name);
    if (channel === undefined) return;
    channels.delete(name);
    channel.cancel();
    if (channels.size === 0) wasLive = false;
    tell();
  };
  const meetings = new Set<KeptChannel>();

  const keep = (name: string, open: () => KeptChannel) => {
    if (stopped || channels.has(name)) throw new Error(`cannot subscribe to '${name}' now`);
    const channel = open();
    channels.set(name, channel);
    tell();
    return () => {
      if (channels.get(name) === channel) cancel(name);
    };
  };
  const nextTopic = (base: string) => {
    opened += 1;
    return `${base}-${opened}`;
  };
  const common = { client, renewToken, onState: onChannelState };

  return {
    subscribe: (subscription, listener) =>
      keep(subscription.name, () => openTableChannel({ ...common, subscription, listener, nextTopic })),
    listen: (topic, event, listener) =>
      keep(topic, () => openTopicChannel({ ...common, topic, event, listener })),
    meet: (topic, key, onKeys) => {
      if (stopped) return () => undefined;
      const meeting = openPresenceChannel({ client, renewToken, topic, key, onKeys });
      meetings.add(meeting);
      return () => {
        if (meetings.delete(meeting)) meeting.cancel();
      };
    },
    getState: readState,
    isLive: (name) => channels.get(name)?.isLive() ?? false,
    onStateChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      stopped = true;
      data.subscription.unsubscribe();
      stopFollowing?.();
      stopWatching();
      [...channels.keys()].forEach(cancel);
      for (const meeting of meetings) meeting.cancel();
      meetings.clear();
      listeners.clear();
      void client.disconnect();
    },
  };
}

function createClient({ config, auth, transport }: RealtimeSourceOptions): RealtimeClient {
  const { supabaseUrl, supabaseAnonKey } = config;
  return new RealtimeClient(`${supabaseUrl.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: supabaseAnonKey, eventsPerSecond: REALTIME.eventsPerSecond },
    heartbeatIntervalMs: REALTIME.heartbeatMs,
    reconnectAfterMs: reconnectDelay,
    accessToken: async () => (await auth.getSession()).data.session?.access_token ?? null,
    logger: (kind, message, details) => log.realtime(kind, message, details),
    ...(transport ? { transport } : {}),
  });
}

/** A socket that does not answer for so long after the page was hidden is taken for dead. Milliseconds. */
const PATIENCE_MS = 5_000;
/** Shorter absences leave a socket alone. Milliseconds. */
const NAP_MS = 30_000;

/**
 * After a computer slept, a socket may look open and lead nowhere, and the token may have run out. So when the page is
 * seen again after a while, the token is renewed and the socket asked for a sign of life.
 * @returns ends the watching.
 */
export function watchWaking(client: RealtimeClient, renewToken: () => void): () => void {
  let hiddenAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now();
      return;
    }
    if (Date.now() - hiddenAt < NAP_MS || !client.isConnected()) return;
    renewToken();
    void client.sendHeartbeat();
    clearTimeout(timer);
    // A heartbeat while the last one has no answer makes the client hang up and connect again.
    timer = setTimeout(() => {
      if (client.isConnected() && client.pendingHeartbeatRef !== null) void client.sendHeartbeat();
    }, PATIENCE_MS);
  };
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

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
