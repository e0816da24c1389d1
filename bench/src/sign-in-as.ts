import type { RunningServer } from './start-server.ts';

export type SignedInUser = {
  readonly id: string;
  readonly email: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly refreshToken: string;
};

/** What every account of the benchmark signs in with. */
export const PASSWORD = 'senha-de-medida';

/**
 * Creates a confirmed account (or finds it again) and signs in.
 * @returns the user's id and the headers that the official client would send with each request.
 */
export async function signInAs(
  server: Pick<RunningServer, 'url' | 'anonKey' | 'serviceRoleKey'>,
  email: string,
): Promise<SignedInUser> {
  const password = PASSWORD;
  await post(`${server.url}/auth/v1/admin/users`, server.serviceRoleKey, server.serviceRoleKey, {
    email,
    password,
    email_confirm: true,
  });
  const session = await post(
    `${server.url}/auth/v1/token?grant_type=password`,
    server.anonKey,
    server.anonKey,
    { email, password },
  );
  if (!session.access_token) throw new Error(`could not sign in as ${email}: ${JSON.stringify(session)}`);
  return {
    id: session.user.id,
    email,
    refreshToken: session.refresh_token,
    headers: {
      apikey: server.anonKey,
      authorization: `Bearer ${session.access_token}`,
      'content-type': 'application/json',
    },
  };
}

async function post(url: string, apikey: string, bearer: string, body: unknown) {
  const headers = { apikey, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
}
