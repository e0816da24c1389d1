import { randomUUID } from 'node:crypto';
import { AUDIENCE, type UserRow } from './stores/users.ts';

type Draft = {
  readonly email: string | null;
  readonly phone?: string | null;
  readonly data: Record<string, unknown>;
  /** By whom it would sign in; `email`, or `phone` where there is a number, when it is left out, null for nobody. */
  readonly provider?: string | null;
  readonly confirmationSent?: boolean;
};

/** An account as it is asked for, before there is one: what a sign-up answers, whether or not it opens one, and what hooks are asked about. */
export function draftUser(
  id: string,
  { email, phone = null, data, confirmationSent = false, ...draft }: Draft,
  now: Date,
): UserRow {
  const at = now.toISOString();
  const provider = draft.provider === undefined ? (phone === null ? 'email' : 'phone') : draft.provider;
  return {
    id,
    aud: AUDIENCE,
    role: AUDIENCE,
    email,
    phone,
    encrypted_password: null,
    email_confirmed_at: null,
    phone_confirmed_at: null,
    confirmed_at: null,
    invited_at: null,
    confirmation_sent_at: confirmationSent ? now : null,
    recovery_sent_at: null,
    email_change: null,
    email_change_sent_at: null,
    email_change_confirm_status: 0,
    phone_change: null,
    phone_change_sent_at: null,
    reauthentication_sent_at: null,
    last_sign_in_at: null,
    raw_app_meta_data: provider === null ? {} : { provider, providers: [provider] },
    raw_user_meta_data: data,
    created_at: now,
    updated_at: now,
    banned_until: null,
    deleted_at: null,
    is_sso_user: false,
    is_anonymous: provider === null,
    identities:
      provider === 'email' || provider === 'phone'
        ? [
            {
              id: randomUUID(),
              provider_id: id,
              user_id: id,
              identity_data: {
                sub: id,
                ...(provider === 'phone' ? { phone } : { email }),
                email_verified: false,
                phone_verified: false,
              },
              provider,
              email,
              last_sign_in_at: at,
              created_at: at,
              updated_at: at,
            },
          ]
        : [],
    factors: [],
  };
}
