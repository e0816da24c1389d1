import {
  type AuthChangeEvent,
  type AuthError,
  AuthRetryableFetchError,
  type GoTrueClient,
  isAuthRetryableFetchError,
  isAuthSessionMissingError,
  type Session,
} from '@supabase/auth-js';
import * as v from 'valibot';
import type { KeptValues } from '../browser/open-storage.ts';
import type { Connection } from '../connection/create-connection.ts';
import { findAuthStorageKeys, isAuthStorageKey } from '../supabase/auth-storage-key.ts';
import { reduceSessionEvent, type SessionState } from './session-state.ts';

export interface SessionStore {
  readonly getState: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Signs out of this browser (all its tabs), or everywhere. Resolves to the error when the service could not be told. */
  readonly signOut: (scope?: 'local' | 'global') => Promise<AuthError | null>;
  /** Stops listening to the auth client. */
  readonly stop: () => void;
}

interface SessionStoreOptions {
  readonly auth: Pick<
    GoTrueClient,
    'onAuthStateChange' | 'getSession' | 'refreshSession' | 'getUser' | 'signOut' | 'admin'
  >;
  readonly storage: KeptValues;
  /** Whether the services can be reached; they count as reachable when nobody watches. */
  readonly connection?: Connection;
}

/** Follows the auth client's events and keeps the one session state of the app. */
export function createSessionStore({ auth, storage, connection }: SessionStoreOptions): SessionStore {
  let state: SessionState = { status: 'loading' };
  let leaving = false;
  const listeners = new Set<() => void>();

  const become = (next: SessionState) => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };
  const apply = (event: AuthChangeEvent, session: Session | null) =>
    become(reduceSessionEvent(state, event, session));

  /** What another tab has just removed may still be read here for a moment: only the service knows whether it counts. */
  const confirm = async (session: Session) => {
    const { error } = await auth.getUser(session.access_token);
    return error === null || isAuthRetryableFetchError(error) ? session : null;
  };
  /**
   * After a SIGNED_OUT that nobody asked for here: saved keys may still hold a session (another tab renewed it). One that
   * has run out and cannot be renewed for lack of network goes on as at the start.
   */
  const recover = async () => {
    const { data, error } = await auth.getSession();
    const saved = isAuthRetryableFetchError(error) ? readSavedSession(storage) : null;
    const found = data.session ? await confirm(data.session) : saved;
    const session = findAuthStorageKeys(storage).length > 0 ? found : null;
    apply('INITIAL_SESSION', session);
  };

  /**
   * Goes on with the session that is saved. One that has run out is renewed first, and while the services cannot be
   * reached that waits: a person without network is still who they were. A renewal that is refused removes what is
   * saved, so what is saved counts.
   */
  const goOnWithSaved = () => {
    const saved = state.status === 'loading' ? readSavedSession(storage) : null;
    if (saved) apply('INITIAL_SESSION', saved);
    return saved !== null;
  };
  const goOnWhenOffline = () => {
    if (connection?.isOnline() === false) goOnWithSaved();
  };
  const stopListening = connection?.subscribe(goOnWhenOffline);

  /** Another tab signed out: its word may come before its keys are gone here, this comes when they are. */
  const followStorage = ({ key, newValue }: StorageEvent) => {
    if (leaving || state.status !== 'signed-in' || newValue !== null) return;
    if ((key === null || isAuthStorageKey(key)) && findAuthStorageKeys(storage).length === 0)
      apply('SIGNED_OUT', null);
  };
  window.addEventListener('storage', followStorage);

  const { data } = auth.onAuthStateChange((event, session) => {
    if (leaving) return;
    if (event === 'SIGNED_OUT' && findAuthStorageKeys(storage).length > 0) {
      // Later: the client holds its own state while it calls back.
      setTimeout(() => void recover(), 0);
      return;
    }
    if (event === 'INITIAL_SESSION' && !session && goOnWithSaved()) return;
    apply(event, session);
  });
  goOnWhenOffline();

  /** Has the service end the session, or all of the account's; null also where nothing is left to end. */
  const revoke = async (scope: 'local' | 'global', renewed = false): Promise<AuthError | null> => {
    const { data, error: unread } = await (renewed ? auth.refreshSession() : auth.getSession());
    // Refused for now, as by a limit: the session lives on.
    if (renewed ? unread && !saysItIsOver(unread) : isAuthRetryableFetchError(unread)) return unread;
    if (!data.session) return null;
    const { error } = await auth.admin.signOut(data.session.access_token, scope);
    // It has run out by the service's clock, which this device's may be behind.
    if (error?.code === 'bad_jwt' && !renewed) return revoke(scope, true);
    return error && saysItIsOver(error) ? null : error;
  };

  const signOut = async (scope: 'local' | 'global' = 'local') => {
    // The client would first renew a session that has run out, which waits for the services.
    if (connection?.isOnline() === false)
      return new AuthRetryableFetchError('the services cannot be reached', 0);
    leaving = true;
    try {
      // The service first: revoking needs the token that the keys hold, and the client would forget them before it asks.
      const error = await revoke(scope);
      if (error) return error;
      for (const key of findAuthStorageKeys(storage)) storage.removeItem(key);
      // With nothing left to revoke the client forgets what it holds in memory, and tells the other tabs.
      await auth.signOut({ scope: 'local' });
      become({ status: 'signed-out', onPurpose: true });
      return null;
    } finally {
      leaving = false;
    }
  };

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signOut,
    stop: () => {
      stopListening?.();
      window.removeEventListener('storage', followStorage);
      data.subscription.unsubscribe();
    },
  };
}

/**
 * The service knows no such session any more, or has locked its account. The status does not tell: a proxy may answer the same, and so
 * does the service for a token that has run out.
 */
function saysItIsOver(error: AuthError): boolean {
  return isAuthSessionMissingError(error) || OVER.test(error.code ?? '');
}

const OVER = /^(user|session|refresh_token)_/;

const savedSessionSchema = v.looseObject({
  access_token: v.string(),
  refresh_token: v.pipe(v.string(), v.nonEmpty()),
  user: v.looseObject({ id: v.string() }),
});

/** The session that the auth client saved in this browser, whether or not it has run out; null when there is none. */
function readSavedSession(storage: KeptValues): Session | null {
  for (const key of findAuthStorageKeys(storage)) {
    const saved = v.safeParse(savedSessionSchema, parse(storage.getItem(key)));
    if (saved.success) return saved.output as unknown as Session;
  }
  return null;
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
