import type { RealtimeChannel, RealtimeSystemPayload } from '@supabase/supabase-js';

export type Joined = {
  readonly channel: RealtimeChannel;
  /** Every status the client has reported, newest last. */
  readonly statuses: readonly string[];
  /** Every `system` message heard, newest last. */
  readonly systems: readonly RealtimeSystemPayload[];
};

const PATIENCE_MS = 20_000;

/**
 * Subscribes and waits until the client says so.
 * @throws Error with the server's reason when the client reports anything else first.
 */
export function joinChannel(channel: RealtimeChannel): Promise<Joined> {
  const statuses: string[] = [];
  const systems: RealtimeSystemPayload[] = [];
  channel.on('system', {}, (payload: RealtimeSystemPayload) => systems.push(payload));
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      statuses.push(status);
      if (status === 'SUBSCRIBED') resolve({ channel, statuses, systems });
      else reject(error ?? new Error(status));
    });
  });
}

/** Subscribes and waits until changes made from now on are heard: the `system` message, as upstream's own tests do. */
export async function joinForChanges(channel: RealtimeChannel): Promise<Joined> {
  const live = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the changes never became live')), PATIENCE_MS);
    channel.on('system', {}, ({ extension, status, message }: RealtimeSystemPayload) => {
      if (extension !== 'postgres_changes') return;
      clearTimeout(timer);
      if (status === 'ok') resolve();
      else reject(new Error(message));
    });
  });
  live.catch(() => undefined);
  const joined = await joinChannel(channel);
  await live;
  return joined;
}
