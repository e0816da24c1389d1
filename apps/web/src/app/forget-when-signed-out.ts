import { log } from '../shared/lib/log.ts';
import type { SessionStore } from '../shared/lib/session/create-session-store.ts';

/** Wipes what was kept for offline as soon as nobody is signed in, also when that happened in another tab or long ago. */
export function forgetWhenSignedOut(session: SessionStore): void {
  const forget = () => {
    if (session.getState().status !== 'signed-out') return;
    import('../shared/lib/query-persistence/query-store.ts')
      .then(({ wipePersistedQueries }) => wipePersistedQueries())
      // Without a database nothing was kept; without the code it is wiped at the next start.
      .catch((reason: unknown) => log.warn('the queries kept on this device could not be wiped', reason));
  };
  session.subscribe(forget);
  forget();
}
