import type { AuthError, GoTrueClient, Session } from '@supabase/auth-js';
import { isAuthRetryableFetchError } from '@supabase/auth-js';

interface AuthorizedFetchOptions {
  readonly auth: Pick<GoTrueClient, 'getSession' | 'refreshSession'>;
  readonly anonKey: string;
  readonly request: typeof fetch;
  /** Whose token alone is sent, where that is somebody's: another may sign in on this device while something is on its way. */
  readonly userId?: string | undefined;
}

const staleTokenMessage = /JWT expired|Invalid Refresh Token/;

/**
 * A fetch that adds the api key and the person's access token (or the anonymous key). When the answer or the session
 * says 'JWT expired' or 'Invalid Refresh Token', the session is refreshed once and the call repeated once; calls
 * that fail together share one refresh. It fails like `fetch` itself when the session cannot be renewed for lack of
 * network: asked anonymously, the services would say that the person has nothing. So it does where another person has
 * signed in.
 */
export function createAuthorizedFetch(options: AuthorizedFetchOptions): typeof fetch {
  const { auth, anonKey, request, userId } = options;
  const tokenOf = (session: Session | null) => {
    if (session && userId && session.user.id !== userId)
      throw new TypeError('Failed to fetch', { cause: 'somebody else has signed in' });
    return session?.access_token;
  };
  let refreshing: Promise<string | undefined> | undefined;
  const refresh = () => {
    refreshing ??= auth
      .refreshSession()
      .then(({ data, error }) => {
        failWithoutNetwork(error);
        return tokenOf(data.session);
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };

  return async (input, init) => {
    const { data, error } = await auth.getSession();
    if (error && staleTokenMessage.test(error.message)) {
      return request(input, authorize(init, anonKey, await refresh()));
    }
    failWithoutNetwork(error);
    const response = await request(input, authorize(init, anonKey, tokenOf(data.session)));
    if (!data.session || !(await refusesToken(response))) return response;
    return request(input, authorize(init, anonKey, await refresh()));
  };
}

function failWithoutNetwork(error: AuthError | null): void {
  if (isAuthRetryableFetchError(error)) throw new TypeError('Failed to fetch', { cause: error });
}

function authorize(init: RequestInit | undefined, anonKey: string, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('apikey', anonKey);
  headers.set('Authorization', `Bearer ${token ?? anonKey}`);
  return { ...init, headers };
}

async function refusesToken(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  // A clone: the caller still reads the body when the call is not repeated.
  return staleTokenMessage.test(await response.clone().text());
}
