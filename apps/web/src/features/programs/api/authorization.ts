import { isAuthApiError } from '@supabase/auth-js';
import { useCallback, useEffect, useState } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

/** What a program asks a person for. */
export interface Authorization {
  readonly name: string;
  readonly redirectUri: string;
  readonly email: string;
  readonly scopes: readonly string[];
}

export type AuthorizationState =
  | { readonly status: 'loading' }
  | { readonly status: 'asked'; readonly asked: Authorization }
  /** It was allowed before: this is where the answer goes. */
  | { readonly status: 'answered'; readonly redirectUrl: string }
  /** Answered, too old, somebody else's, or never there. */
  | { readonly status: 'gone' }
  | { readonly status: 'unread' };

/** Reads what a program asks for. From then on it is this person's to answer. `retry` reads again what could not be read. */
export function useAuthorization(id: string): {
  readonly state: AuthorizationState;
  readonly retry: () => void;
} {
  const { auth } = useBackend();
  const [state, setState] = useState<AuthorizationState>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    let isOver = false;
    setState({ status: 'loading' });
    const read = async (): Promise<AuthorizationState> => {
      const { data, error } = await auth.oauth.getAuthorizationDetails(id);
      if (error) return { status: isAuthApiError(error) && error.status < 500 ? 'gone' : 'unread' };
      if ('redirect_url' in data) return { status: 'answered', redirectUrl: data.redirect_url };
      const { client, redirect_uri: redirectUri, user, scope } = data;
      const scopes = scope.split(' ').filter((word) => word !== '');
      return { status: 'asked', asked: { name: client.name, redirectUri, email: user.email, scopes } };
    };
    read()
      .catch((): AuthorizationState => ({ status: 'unread' }))
      .then((next) => (isOver ? undefined : setState(next)));
    return () => {
      isOver = true;
    };
  }, [auth, id, attempt]);
  return { state, retry: useCallback(() => setAttempt((count) => count + 1), []) };
}

/** Whether an answer came to a request that is over: too old, or answered before. */
export function isGone(error: unknown): boolean {
  return isAuthApiError(error) && error.code === 'oauth_authorization_not_found';
}

/** Sends the person's answer. Resolves to where it leads; rejects with AuthError. */
export function useAnswer(id: string): (isAllowed: boolean) => Promise<string> {
  const { auth } = useBackend();
  return async (isAllowed) => {
    const options = { skipBrowserRedirect: true };
    const { data, error } = isAllowed
      ? await auth.oauth.approveAuthorization(id, options)
      : await auth.oauth.denyAuthorization(id, options);
    if (error) throw error;
    return data.redirect_url;
  };
}
