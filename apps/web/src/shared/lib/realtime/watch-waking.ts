import type { RealtimeClient } from '@supabase/realtime-js';

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
