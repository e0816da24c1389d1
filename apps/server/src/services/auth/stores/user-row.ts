/** A row of `auth.identities`; times are ISO text because the rows arrive aggregated as JSON. */
export type IdentityRow = {
  id: string;
  user_id: string;
  provider_id: string;
  provider: string;
  identity_data: Record<string, unknown>;
  email: string | null;
  last_sign_in_at: string | null;
  created_at: string | null;
  updated_at: string | null;
};

/** A row of `auth.users` with its identities. */
export type UserRow = {
  id: string;
  aud: string | null;
  role: string | null;
  email: string | null;
  phone: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  phone_confirmed_at: Date | null;
  confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number | null;
  phone_change: string | null;
  phone_change_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Record<string, unknown> | null;
  raw_user_meta_data: Record<string, unknown> | null;
  created_at: Date | null;
  updated_at: Date | null;
  banned_until: Date | null;
  deleted_at: Date | null;
  is_sso_user: boolean;
  is_anonymous: boolean;
  identities: IdentityRow[];
};

/** Selects `UserRow`s; a condition on `u` follows. */
export const SELECT_USER = `select u.*,
  coalesce((select jsonb_agg(to_jsonb(i) order by i.created_at, i.id)
            from auth.identities i where i.user_id = u.id), '[]'::jsonb) as identities
  from auth.users u`;

/** The one project of an installation: the platform's rows all carry it. */
export const INSTANCE_ID = '00000000-0000-0000-0000-000000000000';
/** Whom access tokens are for, and the role they give: the platform's only values for people. */
export const AUDIENCE = 'authenticated';
