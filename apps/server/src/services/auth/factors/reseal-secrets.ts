import type { Transaction } from '../../../kernel/database.ts';
import type { TextSealer } from '../../../kernel/sealed-text.ts';
import { replaceFactorSecret } from '../stores/factors.ts';

/** Statements end after eight seconds: many are worked off bit by bit. */
const BATCH = 500;

/**
 * Seals the secrets of second factors with the newest key, so that the earlier ones may go. What no key opens stays as it is: whoever has the
 * key may come back.
 * @param after the id of the last factor that was looked at
 * @returns that of this time; undefined when there are no more
 */
export async function resealFactorSecrets(
  tx: Transaction,
  sealer: TextSealer,
  after: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string; secret: string }>({
    name: 'auth_list_outdated_secrets',
    text: `select id, secret from auth.mfa_factors
      where id > $1 and secret is not null and not starts_with(secret, $2) order by id limit ${BATCH}`,
    values: [after, sealer.prefix],
  });
  for (const { id, secret } of rows) {
    const opened = sealer.unseal(secret, id);
    if (opened) await replaceFactorSecret(tx, { id, before: secret, secret: sealer.seal(opened.text, id) });
  }
  return rows.length < BATCH ? undefined : rows.at(-1)?.id;
}
