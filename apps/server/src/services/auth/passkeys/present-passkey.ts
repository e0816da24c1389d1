import type { Passkey } from '../stores/passkeys.ts';

/** A passkey as clients see it: what proves it is never among it. (Source: auth-js, `PasskeyListItem`.) */
export function presentPasskey({ passkeyId, friendlyName, createdAt, lastUsedAt }: Passkey) {
  return {
    id: passkeyId,
    ...(friendlyName === '' ? {} : { friendly_name: friendlyName }),
    created_at: createdAt.toISOString(),
    ...(lastUsedAt ? { last_used_at: lastUsedAt.toISOString() } : {}),
  };
}
