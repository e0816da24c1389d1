import type { Account } from './open-account.ts';
import type { RunningServer } from './run-server.ts';

export type Key = { readonly token: string; revoke(): Promise<void> };

/** A personal token, as the person makes it in their profile. */
export async function createKey({ url }: RunningServer, { session }: Account, scope: string): Promise<Key> {
  const { access_token } = session as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const created = await fetch(`${url}/auth/v1/user/tokens`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Extensão', scope, days: 30 }),
  });
  const { id, token } = (await created.json()) as { id: string; token: string };
  return {
    token,
    revoke: async () => {
      await fetch(`${url}/auth/v1/user/tokens/${id}`, { method: 'DELETE', headers });
    },
  };
}
