import type { AuthChangeEvent, Session } from '@supabase/auth-js';
import type { Person } from './read-person.ts';
import { readPerson } from './read-person.ts';
import { listPendingFactors, type SecondFactor } from './read-second-factors.ts';

/** Loading until the saved session is known; then signed out or signed in. */
export type SessionState =
  | { readonly status: 'loading' }
  /** `onPurpose`: the person pressed Sair in this tab, so nobody needs to explain why they are out. */
  | { readonly status: 'signed-out'; readonly onPurpose: boolean }
  /**
   * `recovering`: they came by a password reset link and should choose a new password. `pending`: one of these they have to prove before
   * anything opens.
   */
  | {
      readonly status: 'signed-in';
      readonly person: Person;
      readonly recovering: boolean;
      readonly pending: readonly SecondFactor[];
    };

/** The next state after an event of the auth client. Pure; recovery after SIGNED_OUT is the store's affair. */
export function reduceSessionEvent(
  state: SessionState,
  event: AuthChangeEvent,
  session: Session | null,
): SessionState {
  if (!session) {
    if (state.status === 'signed-out') return state;
    return { status: 'signed-out', onPurpose: false };
  }
  const person = readPerson(session.user);
  // A tab may go from one person to another at once.
  const before = state.status === 'signed-in' && state.person.id === person.id ? state : null;
  const recovering =
    event === 'PASSWORD_RECOVERY' || (event !== 'USER_UPDATED' && before?.recovering === true);
  const pending = listPendingFactors(session);
  if (
    before &&
    before.recovering === recovering &&
    isSame(before.person, person) &&
    isSame(before.pending, pending)
  )
    return state;
  return { status: 'signed-in', person, recovering, pending };
}

// A refreshed token brings a new user object with the same values: the screens need not render again.
function isSame<T extends Person | readonly SecondFactor[]>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
