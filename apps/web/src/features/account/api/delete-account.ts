import { DELETION_WORD, REAUTHENTICATION_NEEDED } from '@linkoteca/domain/account-life';
import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import { useMutation } from '@tanstack/react-query';
import type { CaptchaOption } from '../../../shared/lib/captcha/captcha-widget.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';
import { hasSecondFactor } from './password.ts';

/** The password was not the account's. */
export class WrongPassword extends Error {
  override name = 'WrongPassword';
}

/** The person signed in too long ago, and no password can be asked for. */
export class SignInTooOld extends Error {
  override name = 'SignInTooOld';
}

/** The server did not do it; `message` is its sentence for people. */
export class DeletionRefused extends Error {
  override name = 'DeletionRefused';
}

/** Nobody heard whether it was done: it may have been. */
export class DeletionUnclear extends Error {
  override name = 'DeletionUnclear';
}

/** The subscription is cancelled on the way, which may take a while. */
const PATIENCE_MS = 60_000;

export interface DeletionProof {
  readonly email: string;
  /** Absent for accounts without one, and not compared where there is a second factor: then the last sign-in has to be recent. */
  readonly password?: string;
  readonly captcha?: CaptchaOption;
}

/**
 * Proves the password by signing in once more, where no second factor is lost by that, then closes the account. Resolves to until when it can be had back (RFC 3339).
 * @throws WrongPassword, SignInTooOld, DeletionRefused with the server's sentence, or DeletionUnclear without an answer of it.
 */
export function useDeleteAccount() {
  const { auth, config } = useBackend();
  const send = useAuthorizedFetch();
  return useMutation({
    mutationFn: async ({ email, password, captcha = {} }: DeletionProof): Promise<string> => {
      if (password !== undefined && !(await hasSecondFactor(auth))) {
        const check = await auth.signInWithPassword({ email, password, options: captcha });
        if (check.error?.code === 'invalid_credentials') throw new WrongPassword();
        if (check.error) throw check.error;
      }
      const response = await send(`${config.supabaseUrl}/functions/v1/delete-account`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ confirmation: DELETION_WORD }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch((cause: unknown) => {
        throw new DeletionUnclear('no answer', { cause });
      });
      return await readUntil(response);
    },
  });
}

async function readUntil(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const { restorableUntil, error, code } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (response.ok && typeof restorableUntil === 'string') return restorableUntil;
  if (code === REAUTHENTICATION_NEEDED) throw new SignInTooOld();
  if (typeof error !== 'string' && (response.ok || response.status >= 500))
    throw new DeletionUnclear(`status ${response.status}`);
  throw new DeletionRefused(typeof error === 'string' ? error : ACCOUNT_LIFE_MESSAGES.deletion.failed);
}
