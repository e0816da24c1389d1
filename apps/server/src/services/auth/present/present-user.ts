import type { IdentityRow, UserRow } from '../stores/users.ts';
import { presentFactor } from './present-factor.ts';

/** An account as clients see it (protocol note, section 1.2): what is not set is left out, except what is always there. */
export function presentUser(user: UserRow): Record<string, unknown> {
  return {
    id: user.id,
    aud: user.aud ?? '',
    role: user.role ?? '',
    email: user.email ?? '',
    ...time('email_confirmed_at', user.email_confirmed_at),
    ...time('invited_at', user.invited_at),
    phone: user.phone ?? '',
    ...time('phone_confirmed_at', user.phone_confirmed_at),
    ...time('confirmation_sent_at', user.confirmation_sent_at),
    ...time('confirmed_at', user.confirmed_at),
    ...time('recovery_sent_at', user.recovery_sent_at),
    ...text('new_email', user.email_change),
    ...time('email_change_sent_at', user.email_change_sent_at),
    ...text('new_phone', user.phone_change),
    ...time('phone_change_sent_at', user.phone_change_sent_at),
    ...time('reauthentication_sent_at', user.reauthentication_sent_at),
    ...time('last_sign_in_at', user.last_sign_in_at),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    ...(user.factors.length > 0 ? { factors: user.factors.map(presentFactor) } : {}),
    identities: user.identities.map(presentIdentity),
    created_at: user.created_at?.toISOString(),
    updated_at: user.updated_at?.toISOString(),
    ...time('banned_until', user.banned_until),
    ...time('deleted_at', user.deleted_at),
    is_anonymous: user.is_anonymous,
  };
}

function presentIdentity(identity: IdentityRow): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    ...time('last_sign_in_at', toDate(identity.last_sign_in_at)),
    ...time('created_at', toDate(identity.created_at)),
    ...time('updated_at', toDate(identity.updated_at)),
    ...text('email', identity.email),
  };
}

function time(key: string, at: Date | null): Record<string, string> {
  return at ? { [key]: at.toISOString() } : {};
}

function text(key: string, value: string | null): Record<string, string> {
  return value ? { [key]: value } : {};
}

function toDate(iso: string | null): Date | null {
  return iso === null ? null : new Date(iso);
}
