import * as v from 'valibot';
import type { Transaction } from '../../../kernel/database.ts';
import type { FactorRow } from './factors.ts';

/**
 * A credential as GoTrue keeps it in `auth.mfa_factors.web_authn_credential`, so that accounts move between this server and a hosted project.
 * Bytes are base64. (Source: go-webauthn, `webauthn.Credential`.)
 */
export type WebAuthnCredentialRow = {
  readonly id: string;
  readonly publicKey: string;
  readonly attestationType: string;
  readonly transport: readonly string[];
  readonly flags: {
    readonly userPresent: boolean;
    readonly userVerified: boolean;
    readonly backupEligible: boolean;
    readonly backupState: boolean;
  };
  readonly authenticator: {
    readonly AAGUID: string;
    readonly signCount: number;
    readonly cloneWarning: boolean;
  };
};

/** What is needed of one to prove it, whoever has written it. */
const READ = v.object({
  id: v.string(),
  publicKey: v.string(),
  transport: v.nullish(v.array(v.string()), []),
  authenticator: v.nullish(v.object({ signCount: v.nullish(v.number(), 0) }), {}),
});

/** A credential of an account, with the factor that it is. */
export type FoundCredential = {
  readonly factorId: string;
  readonly status: FactorRow['status'];
  readonly id: Uint8Array<ArrayBuffer>;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly transports: readonly string[];
  readonly signCount: number;
};

/** The credentials of an account's factors; what cannot be read is left out, and cannot be proven. */
export async function listCredentials(tx: Transaction, userId: string): Promise<readonly FoundCredential[]> {
  const { rows } = await tx.query<{ id: string; status: FactorRow['status']; credential: unknown }>({
    name: 'auth_list_webauthn_credentials',
    text: `select id, status, web_authn_credential as credential from auth.mfa_factors
      where user_id = $1 and factor_type = 'webauthn' and web_authn_credential is not null order by created_at`,
    values: [userId],
  });
  return rows.flatMap(({ id: factorId, status, credential }) => {
    const read = v.safeParse(READ, credential);
    if (!read.success) return [];
    const { id, publicKey, transport, authenticator } = read.output;
    const found = {
      factorId,
      status,
      id: Uint8Array.from(Buffer.from(id, 'base64')),
      publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64')),
      transports: transport ?? [],
      signCount: authenticator?.signCount ?? 0,
    };
    return [found];
  });
}

/** Keeps what a factor is proven by from now on. @param aaguid which make of authenticator it says it is */
export async function saveCredential(
  tx: Transaction,
  {
    factorId,
    credential,
    aaguid,
  }: { readonly factorId: string; readonly credential: WebAuthnCredentialRow; readonly aaguid: string },
): Promise<void> {
  await tx.query({
    name: 'auth_save_webauthn_credential',
    text: `update auth.mfa_factors set web_authn_credential = $2, web_authn_aaguid = $3 where id = $1`,
    values: [factorId, JSON.stringify(credential), aaguid],
  });
}

/** Writes down how often an authenticator says it was used: an older answer, or a copy of it, is noticed (WebAuthn, section 6.1.1). */
export async function saveSignCount(
  tx: Transaction,
  { factorId, signCount }: { readonly factorId: string; readonly signCount: number },
): Promise<void> {
  await tx.query({
    name: 'auth_save_webauthn_sign_count',
    text: `update auth.mfa_factors set web_authn_credential = web_authn_credential || jsonb_build_object('authenticator',
        coalesce(web_authn_credential -> 'authenticator', '{}') || jsonb_build_object('signCount', $2::bigint)) where id = $1`,
    values: [factorId, signCount],
  });
}
