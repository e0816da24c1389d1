import type { DatabaseAccess } from '../_shared/call-database.ts';
import { InstallationUnreachable } from '../_shared/installation-unreachable.ts';

/** A person's subscription as they may see it. */
export type Subscription = {
  readonly subscribed: boolean;
  readonly plan: string;
  readonly status: string | null;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly trialEnd: string | null;
};

type Row = {
  readonly plan: string;
  readonly subscription_status: string | null;
  readonly current_period_end: string | null;
  readonly cancel_at_period_end: boolean;
  readonly trial_end: string | null;
};

const COLUMNS = 'plan,subscription_status,current_period_end,cancel_at_period_end,trial_end';
const PATIENCE_MS = 10_000;

/**
 * Reads the caller's own row; somebody who has none is on the free plan.
 * @returns undefined when the token is not good any more. @throws InstallationUnreachable
 */
export async function readSubscriber(
  { fetch, url, key, authorization }: DatabaseAccess & { readonly authorization: string },
  person: string,
): Promise<Subscription | undefined> {
  const path = `subscribers?select=${COLUMNS}&user_id=eq.${encodeURIComponent(person)}`;
  const response = await fetch(`${url}/rest/v1/${path}`, {
    headers: { apikey: key, authorization },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause: unknown) => {
    throw new InstallationUnreachable('subscribers: no answer', { cause });
  });
  if (response.status === 401) return undefined;
  if (!response.ok) throw new InstallationUnreachable(`subscribers: ${response.status}`);
  const [row] = (await response.json()) as readonly Row[];
  const { plan = 'free', subscription_status: status = null } = row ?? {};
  return {
    subscribed: status === 'active' && plan !== 'free',
    plan,
    status,
    currentPeriodEnd: row?.current_period_end ?? null,
    cancelAtPeriodEnd: row?.cancel_at_period_end ?? false,
    trialEnd: row?.trial_end ?? null,
  };
}
