import type { Transaction } from '../../../kernel/database.ts';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { findFactorSecret, replaceFactorSecret, takeTimeStep } from '../stores/factors.ts';
import { findTimeStep } from './totp.ts';

/** Whether a code of an app is right. It is once: of its time, and newer than the last one that was. @throws mfa_factor_not_found */
export async function proveCode(
  tx: Transaction,
  { keyring, now }: Pick<AuthContext, 'keyring' | 'now'>,
  { factorId, code }: { readonly factorId: string; readonly code: string },
): Promise<boolean> {
  const sealed = await findFactorSecret(tx, factorId);
  // Somebody has removed it while the person was typing.
  if (sealed === undefined) throw new AuthError('mfa_factor_not_found');
  const secret = keyring.factorSecrets.unseal(sealed, factorId);
  if (!secret)
    throw new AuthError('unexpected_failure', {
      cause: new Error(`no key of this installation opens the secret of factor ${factorId}`),
    });
  if (secret.outdated)
    await replaceFactorSecret(tx, {
      id: factorId,
      before: sealed,
      secret: keyring.factorSecrets.seal(secret.text, factorId),
    });
  const timeStep = findTimeStep(secret.text, code, now());
  return timeStep !== undefined && takeTimeStep(tx, { factorId, timeStep });
}
