import { createContext, use, useSyncExternalStore } from 'react';
import type { SessionStore } from './create-session-store.ts';
import type { Person } from './read-person.ts';
import type { SecondFactor } from './read-second-factors.ts';
import type { SessionState } from './session-state.ts';

export const SessionContext = createContext<SessionStore | null>(null);

/** The store itself, for signing out. */
export function useSessionStore(): SessionStore {
  const store = use(SessionContext);
  if (!store) throw new Error('the session hooks need a SessionContext above them');
  return store;
}

/** Loading, signed out or signed in; renders again when that changes. */
export function useSession(): SessionState {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.getState, store.getState);
}

/** The signed-in person, or null while loading and for visitors. */
export function usePerson(): Person | null {
  const session = useSession();
  return session.status === 'signed-in' ? session.person : null;
}

const NOTHING: readonly SecondFactor[] = [];

/** The second factors of which the signed-in person has to prove one before anything opens; empty when nothing is to be proven. */
export function usePendingFactors(): readonly SecondFactor[] {
  const session = useSession();
  return session.status === 'signed-in' ? session.pending : NOTHING;
}

/** The signed-in person's id; for screens behind the login guard, where there always is one. */
export function useUserId(): string {
  const person = usePerson();
  if (!person) throw new Error('useUserId is only for screens behind the login guard');
  return person.id;
}
