import type { GoTrueClient, MFAVerifyWebauthnParams } from '@supabase/auth-js';

type Answer<T extends 'create' | 'request'> = MFAVerifyWebauthnParams<T>['webauthn']['credential_response'];

/**
 * Whether this browser can ask for security keys at all, and for what a device unlocks itself with. Only where the page came encrypted. What is
 * drawn beforehand, for any browser, counts as able.
 */
export function canAskSecurityKey(): boolean {
  return typeof window === 'undefined' || typeof window.PublicKeyCredential === 'function';
}

/**
 * Has the browser ask for a security key, or for what the device unlocks itself with: for a new one where nothing has proven the factor yet. The
 * session is of the second level afterwards. The client's own `webauthn.register` would keep phones and computers out, and take only keys that are
 * plugged in: here the service alone says what is asked for.
 * @throws AuthError of the service; DOMException of the browser (NotAllowedError: the person has said no, or waited too long; InvalidStateError: the
 * key is there already)
 */
export async function askSecurityKey(auth: GoTrueClient, factorId: string): Promise<void> {
  const site = { rpId: window.location.hostname, rpOrigins: [window.location.origin] };
  const { data, error } = await auth.mfa.challenge({ factorId, webauthn: site });
  if (error) throw error;
  const { webauthn: asked, id: challengeId } = data;
  // The client's types know more ways to reach a key than the browser's.
  const answer =
    asked.type === 'create'
      ? ({
          type: 'create',
          credential_response: (await navigator.credentials.create({
            publicKey: asked.credential_options.publicKey as PublicKeyCredentialCreationOptions,
          })) as Answer<'create'>,
        } as const)
      : ({
          type: 'request',
          credential_response: (await navigator.credentials.get({
            publicKey: asked.credential_options.publicKey as PublicKeyCredentialRequestOptions,
          })) as Answer<'request'>,
        } as const);
  const proven = await auth.mfa.verify({ factorId, challengeId, webauthn: { ...site, ...answer } });
  if (proven.error) throw proven.error;
}
