import { type DatabaseAccess, InstallationUnreachable } from './call-database.ts';

/** A person's account as payments see it. */
export type BillingAccount = {
  /** The provider's customer; undefined before the first purchase. */
  readonly customerId: string | undefined;
};

const PATIENCE_MS = 10_000;

/**
 * Reads the account with the person's own token, so a token whose account was closed finds nothing.
 * @returns undefined when there is no such account (any more).
 * @throws InstallationUnreachable
 */
export async function findBillingAccount(
  access: DatabaseAccess & { readonly authorization: string },
  person: string,
): Promise<BillingAccount | undefined> {
  const id = encodeURIComponent(person);
  const [profiles, subscribers] = await Promise.all([
    readRows(access, `profiles?select=id&id=eq.${id}`),
    readRows(access, `subscribers?select=stripe_customer_id&user_id=eq.${id}`),
  ]);
  if (profiles.length === 0) return undefined;
  const customer = subscribers[0]?.['stripe_customer_id'];
  return { customerId: typeof customer === 'string' ? customer : undefined };
}

type Rows = readonly Readonly<Record<string, unknown>>[];

async function readRows(
  { fetch, url, key, authorization = `Bearer ${key}` }: DatabaseAccess,
  path: string,
): Promise<Rows> {
  const response = await fetch(`${url}/rest/v1/${path}`, {
    headers: { apikey: key, authorization },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause: unknown) => {
    throw new InstallationUnreachable('no answer', { cause });
  });
  const body: unknown = await response.json().catch(() => undefined);
  // A token that ran out on the way here: nobody's account.
  if (response.status === 401) return [];
  if (!response.ok || !Array.isArray(body)) throw new InstallationUnreachable(`status ${response.status}`);
  return body;
}
