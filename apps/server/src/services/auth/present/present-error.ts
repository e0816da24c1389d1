import { AuthError, type OAuthError } from '../auth-error.ts';

/** The only dated version of the API; without it the older error shape is meant (protocol note, section 1.1). */
const API_VERSION = '2024-01-01';
export const API_VERSION_HEADER = 'x-supabase-api-version';

export type PresentedError = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
};

/**
 * Writes an error in the shape the client asked for.
 * @param requestId is told only with a failure of ours, so that it can be found in the log.
 */
export function presentError(
  error: AuthError | OAuthError,
  askedVersion: string | undefined,
  requestId: string,
): PresentedError {
  if (!(error instanceof AuthError))
    return {
      status: error.status,
      headers: error.challenge === undefined ? {} : { 'www-authenticate': error.challenge },
      body: { error: error.error, error_description: error.message },
    };

  const { code, status, message, details } = error;
  const dated = isDated(askedVersion);
  const headers: Record<string, string> = { 'x-sb-error-code': code };
  if (dated) headers[API_VERSION_HEADER] = API_VERSION;
  if (details.retryAfter !== undefined) headers['retry-after'] = String(details.retryAfter);
  if (details.allow) headers['allow'] = details.allow.join(', ');
  return {
    status,
    headers,
    body: {
      ...(dated ? { code, message } : { code: status, error_code: code, msg: message }),
      ...(!dated && status >= 500 ? { error_id: requestId } : {}),
      ...(details.reasons ? { weak_password: { reasons: details.reasons } } : {}),
    },
  };
}

/** Dates of this form compare as text. */
function isDated(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= API_VERSION;
}
