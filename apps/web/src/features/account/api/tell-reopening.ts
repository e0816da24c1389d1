import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import type { GoTrueClient } from '@supabase/auth-js';
import { readClaims } from '../../../shared/lib/session/read-claims.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';

/** A token that was made later than this after the sign-in was renewed since. */
const RECENT_MS = 600_000;
/** More than a word on the side: it may be read. */
const SHOWN_MS = 10_000;

interface Reopening {
  readonly auth: Pick<GoTrueClient, 'getSession'>;
  readonly database: DatabaseClient;
}

/** Tells whoever has just signed in that their account was closed until then. Said once: the service forgets it. */
export async function tellReopening({ auth, database }: Reopening): Promise<void> {
  const { data } = await auth.getSession();
  const signedInAt = Date.parse(data.session?.user.last_sign_in_at ?? '');
  // Both by the service's clock: the device's own may be hours off.
  const madeAt = Number(readClaims(data.session?.access_token)['iat']) * 1000;
  if (!(Math.abs(madeAt - signedInAt) < RECENT_MS)) return;
  const { data: reason } = await database.rpc('take_reopening_notice');
  const { restored, reactivated } = ACCOUNT_LIFE_MESSAGES;
  if (reason === 'deletion') toast.success(restored.title, restored.description, { timeoutMs: SHOWN_MS });
  if (reason === 'inactivity')
    toast.success(reactivated.title, reactivated.description, { timeoutMs: SHOWN_MS });
}
