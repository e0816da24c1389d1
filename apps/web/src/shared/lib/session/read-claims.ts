/** What an access token says, unverified: the services verify it. Nothing for text that is no token. */
export function readClaims(accessToken: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const payload = (accessToken?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(payload));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
