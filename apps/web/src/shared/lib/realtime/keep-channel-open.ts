import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log.ts';
import { reconnectDelay } from './reconnect-delay.ts';

/** One subscription on a socket. */
export interface KeptChannel {
  readonly isLive: () => boolean;
  readonly cancel: () => void;
}

/** What a joined channel tells whoever keeps it. */
export interface ChannelEvents {
  readonly become: (live: boolean) => void;
  /** @param tell told unless it was cancelled here. */
  readonly onClosed: (tell?: () => void) => void;
}

interface KeptChannelOptions {
  readonly client: RealtimeClient;
  readonly join: (events: ChannelEvents) => RealtimeChannel;
  /** What happens from now on is told. */
  readonly onLive: () => void;
  readonly onState: (live: boolean) => void;
}

/**
 * Keeps one channel joined. The client joins again by itself after a lost socket or a refusal; a channel that the
 * service has closed (an expired token) is opened anew here.
 */
export function keepChannelOpen({ client, join, onLive, onState }: KeptChannelOptions): KeptChannel {
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
      onLive();
    }
    onState(live);
  };
  const open = async () => {
    // Before the join, which carries it: without a token the service would show what a visitor sees.
    await client.setAuth();
    if (cancelled) return;
    channel = join({ become, onClosed });
  };
  const onClosed = (tell?: () => void) => {
    if (!cancelled) tell?.();
    openLater();
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
      log.warn('a realtime channel cannot be opened', reason);
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
