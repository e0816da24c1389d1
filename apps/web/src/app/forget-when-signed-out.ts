import { openStorage } from '../shared/lib/browser/open-storage.ts';
import { log } from '../shared/lib/log.ts';
import type { SessionStore } from '../shared/lib/session/create-session-store.ts';

/** What begins the names of texts that are not saved yet: forms, and what waits for room in a plan. */
const TYPED = /^linkoteca-(draft|waiting)-/;

/**
 * Wipes what was kept for offline as soon as nobody is signed in, also when that happened in another tab or long ago. What
 * somebody was typing goes when they leave on purpose alone: a session that ends by itself must not take it along.
 */
export function forgetWhenSignedOut(session: SessionStore): void {
  const forget = () => {
    const state = session.getState();
    if (state.status !== 'signed-out') return;
    if (state.onPurpose) forgetTyped();
    import('../shared/lib/query-persistence/query-store.ts')
      .then(({ wipePersistedQueries }) => wipePersistedQueries())
      // Without a database nothing was kept; without the code it is wiped at the next start.
      .catch((reason: unknown) => log.warn('the queries kept on this device could not be wiped', reason));
  };
  session.subscribe(forget);
  forget();
}

function forgetTyped(): void {
  const storage = openStorage();
  for (const key of Object.keys(storage)) if (TYPED.test(key)) storage.removeItem(key);
}
