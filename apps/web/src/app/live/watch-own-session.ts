import type { GoTrueClient, Session } from '@supabase/auth-js';
import { log } from '../../shared/lib/log.ts';
import type { RealtimeSource } from '../../shared/lib/realtime/realtime-source.ts';
import { readClaims } from '../../shared/lib/session/read-claims.ts';

interface OwnSessionOptions {
  readonly auth: Pick<GoTrueClient, 'getSession' | 'getUser' | 'onAuthStateChange' | 'signOut'>;
  readonly source: Pick<RealtimeSource, 'listen' | 'isLive'>;
}

/** Coming back to the page asks at most this often. Milliseconds. */
const LOOK_EVERY_MS = 15_000;
/** Where nothing is told, a page in front of somebody asks by itself. Milliseconds. */
const POLL_MS = 60_000;

/**
 * Notices that this device was signed out from another one: an access token outlives its session by up to an hour. Looks when it
 * is told to, when it may have missed being told, and when somebody comes back to the page. The client then forgets the session,
 * and the guard leads to /login.
 */
export function watchOwnSession({ auth, source }: OwnSessionOptions): () => void {
  let stopListening: (() => void) | undefined;
  let followed: string | null = null;
  let lookedAt = 0;
  let over = false;

  const look = async () => {
    lookedAt = Date.now();
    const { error } = await auth.getUser();
    // The client itself forgets a session that the service does not know; a closed or banned account it would keep.
    if (error?.code === 'user_not_found' || error?.code === 'user_banned')
      await auth.signOut({ scope: 'local' });
  };
  const lookSafely = () =>
    void look().catch((reason: unknown) => log.warn('the session could not be looked at', reason));
  const lookAgain = () => {
    if (document.visibilityState === 'visible' && Math.abs(Date.now() - lookedAt) >= LOOK_EVERY_MS)
      lookSafely();
  };

  const follow = (session: Session | null) => {
    const id = readSessionId(session?.access_token);
    if (over || id === followed) return;
    stopListening?.();
    followed = id;
    stopListening =
      id === null
        ? undefined
        : source.listen(topicOf(id), 'ended', { onEvent: lookSafely, onLive: lookSafely });
  };
  const { data } = auth.onAuthStateChange((_event, session) => {
    // Later: the client holds its own state while it calls back.
    setTimeout(() => follow(session), 0);
  });
  const timer = setInterval(() => {
    if (followed === null || !source.isLive(topicOf(followed))) lookAgain();
  }, POLL_MS);
  window.addEventListener('focus', lookAgain);
  document.addEventListener('visibilitychange', lookAgain);
  return () => {
    over = true;
    clearInterval(timer);
    window.removeEventListener('focus', lookAgain);
    document.removeEventListener('visibilitychange', lookAgain);
    data.subscription.unsubscribe();
    stopListening?.();
  };
}

function topicOf(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The session that an access token belongs to; null for one that says nothing of it. */
function readSessionId(accessToken: string | undefined): string | null {
  const { session_id: id } = readClaims(accessToken);
  return typeof id === 'string' && id !== '' ? id : null;
}
