import type { Answer } from '../auth-context.ts';
import { AuthError, type OAuthError } from '../auth-error.ts';
import type { PresentedSession } from './present-session.ts';

/** The words of OAuth for our statuses (protocol note, section 1.4: errors of a followed link). */
const OAUTH_WORDS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** Sends the browser on with its session in the fragment, which never reaches a server. */
export function redirectWithSession(
  to: string,
  session: PresentedSession,
  extra: Readonly<Record<string, string>>,
  status?: number,
): Answer {
  return redirect(
    to,
    {
      fragment: {
        access_token: session.access_token,
        expires_at: String(session.expires_at),
        expires_in: String(session.expires_in),
        refresh_token: session.refresh_token,
        // Tells the clients' own fragments from those of an application (upstream's marker).
        sb: '',
        token_type: session.token_type,
        ...extra,
      },
    },
    status,
  );
}

/** Sends the browser on with a code that only the client that started the flow can exchange. */
export function redirectWithCode(to: string, code: string, status?: number): Answer {
  return redirect(to, { query: { code } }, status);
}

export function redirectWithMessage(to: string, message: string, challenged: boolean): Answer {
  return redirect(to, { fragment: { message }, ...(challenged ? { query: { message } } : {}) });
}

/** The same for somebody who comes back from another provider. The address keeps its query: there the application says where the person was. */
export function redirectFromProviderWithError(
  to: string,
  error: AuthError | OAuthError,
  challenged: boolean,
): Answer {
  const words: Record<string, string> =
    error instanceof AuthError
      ? {
          error: OAUTH_WORDS[error.status] ?? 'server_error',
          error_code: error.code,
          error_description: error.message,
        }
      : { error: error.error, error_description: error.message };
  return redirect(to, { fragment: { ...words, sb: '' }, ...(challenged ? { query: words } : {}) }, 302);
}

/** Whatever query the address had is dropped, so that an error never mixes with the words of the application. */
export function redirectWithError(to: string, error: AuthError, challenged: boolean): Answer {
  const words = {
    error: OAUTH_WORDS[error.status] ?? 'server_error',
    error_code: error.code,
    error_description: error.message,
  };
  const bare = new URL(to);
  bare.search = '';
  return redirect(bare.href, { fragment: { ...words, sb: '' }, ...(challenged ? { query: words } : {}) });
}

function redirect(
  to: string,
  parts: { fragment?: Record<string, string>; query?: Record<string, string> },
  status = 303,
): Answer {
  const url = new URL(to);
  for (const [key, value] of Object.entries(parts.query ?? {})) url.searchParams.set(key, value);
  if (parts.fragment) url.hash = new URLSearchParams(parts.fragment).toString();
  // The address holds a secret: nothing on the way may keep it.
  return { status, headers: { location: url.href, 'cache-control': 'no-store' } };
}
