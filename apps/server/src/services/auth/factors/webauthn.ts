import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { AuthSettings } from '../auth-settings.ts';
import type { FoundCredential, WebAuthnCredentialRow } from '../stores/webauthn-credentials.ts';

/** ES256, EdDSA and RS256 (COSE algorithms), which the platform takes as well. */
const ALGORITHMS = [-7, -8, -257];

type PartySettings = Pick<AuthSettings, 'siteUrl' | 'webAuthnRpId' | 'webAuthnRpName' | 'webAuthnOrigins'>;

/**
 * Who asks: this installation, whatever a client says. A response is bound to both by the browser and by the authenticator.
 * (WebAuthn, sections 7.1 and 7.2.)
 */
function relyingParty({ siteUrl, webAuthnRpId, webAuthnRpName, webAuthnOrigins }: PartySettings) {
  const { hostname, origin } = new URL(siteUrl);
  const rpId = webAuthnRpId ?? hostname;
  return { rpId, name: webAuthnRpName ?? rpId, origins: [origin, ...webAuthnOrigins] };
}

type Person = { readonly id: string; readonly email: string | null; readonly phone: string | null };

/** An account's handle for authenticators: its id as text. (Source: GoTrue, `WebAuthnID`.) */
function userHandle({ id }: Pick<Person, 'id'>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(id));
}

/** What a challenge has to be answered with. (Source: go-webauthn, `SessionData`; kept in `auth.mfa_challenges.web_authn_session_data`.) */
export type WebAuthnSessionData = {
  readonly challenge: string;
  readonly rpId: string;
  readonly user_id: string;
  readonly userVerification: 'required';
};

/** A credential that an account has already, as far as an authenticator has to know it. */
export type KnownCredential = Pick<FoundCredential, 'id' | 'transports'>;

type Creation = {
  readonly user: Person;
  /** The account's credentials: none of them is added again, nor written over on the same authenticator. */
  readonly known: readonly KnownCredential[];
  /** `required`: the authenticator keeps whose it is, and signs in without anybody typing that. */
  readonly residentKey: 'required' | 'discouraged';
};

/** Asks for a new credential. @returns `options` for the browser and `session` to keep */
export async function beginCreation(
  settings: PartySettings & Pick<AuthSettings, 'factorChallengeLifetime'>,
  { user, known, residentKey }: Creation,
) {
  const { rpId, name: rpName } = relyingParty(settings);
  const name = user.email || user.phone || user.id;
  const options = await generateRegistrationOptions({
    rpName,
    rpID: rpId,
    userName: name,
    userID: userHandle(user),
    userDisplayName: name,
    timeout: settings.factorChallengeLifetime * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey, userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { options, session: describeSession(options, user) };
}

/**
 * Asks for a proof.
 * @param asked the account's credentials, each of which proves; or nothing where the credential is to say whose it is
 * @returns as `beginCreation`
 */
export async function beginRequest(
  settings: PartySettings & Pick<AuthSettings, 'factorChallengeLifetime'>,
  asked?: { readonly user: Person; readonly known: readonly KnownCredential[] },
) {
  const { rpId } = relyingParty(settings);
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    ...(asked ? { allowCredentials: asked.known.map(describe) } : {}),
    timeout: settings.factorChallengeLifetime * 1000,
    userVerification: 'required',
  });
  return { options, session: describeSession(options, asked?.user) };
}

function describe({ id, transports }: KnownCredential) {
  return { id: Buffer.from(id).toString('base64url'), transports: [...transports] };
}

function describeSession(
  {
    challenge,
    ...options
  }: { readonly challenge: string; readonly rpId?: string; readonly rp?: { readonly id?: string } },
  user: Pick<Person, 'id'> | undefined,
): WebAuthnSessionData {
  return {
    challenge,
    rpId: options.rpId ?? options.rp?.id ?? '',
    user_id: user ? Buffer.from(userHandle(user)).toString('base64') : '',
    userVerification: 'required',
  };
}

export type CreatedCredential = { readonly credential: WebAuthnCredentialRow; readonly aaguid: string };

/**
 * The credential that a response to `create` brings.
 * @throws Error for one that is not an answer to this challenge, given on this site, by somebody whom the authenticator has verified
 */
export async function readCreated(
  settings: PartySettings,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<CreatedCredential> {
  requireNoCertificates(response);
  const { rpId, origins } = relyingParty(settings);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified) throw new Error('the attestation does not hold');
  const { credential, aaguid, credentialDeviceType, credentialBackedUp, fmt } = registrationInfo;
  return {
    aaguid,
    credential: {
      id: Buffer.from(credential.id, 'base64url').toString('base64'),
      publicKey: Buffer.from(credential.publicKey).toString('base64'),
      attestationType: fmt,
      transport: credential.transports ?? [],
      flags: {
        userPresent: true,
        userVerified: true,
        backupEligible: credentialDeviceType === 'multiDevice',
        backupState: credentialBackedUp,
      },
      authenticator: {
        AAGUID: Buffer.from(aaguid.replaceAll('-', ''), 'hex').toString('base64'),
        signCount: credential.counter,
        cloneWarning: false,
      },
    },
  };
}

/**
 * Nobody asked which make of authenticator it is. A chain of certificates in the answer would be followed, lists of revoked ones fetched from
 * wherever it says: whoever sent it would have this server call addresses.
 * @throws Error
 */
function requireNoCertificates({ response }: RegistrationResponseJSON): void {
  const attestation = decodeAttestationObject(
    Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')),
  );
  const format = attestation.get('fmt');
  if (format === 'none') return;
  if (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined)
    throw new Error(`an attestation of the format ${JSON.stringify(format)} was not asked for`);
}

/**
 * Whether a response to `request` proves a credential.
 * @returns how often the authenticator says it was used
 * @throws Error as `readCreated`, and for a count that is not above the one before
 */
export async function readProof(
  settings: PartySettings,
  challenge: string,
  response: AuthenticationResponseJSON,
  {
    credential,
    user,
  }: {
    readonly credential: Pick<FoundCredential, 'id' | 'publicKey' | 'signCount'>;
    readonly user: Pick<Person, 'id'>;
  },
): Promise<number> {
  const { rpId, origins } = relyingParty(settings);
  const { userHandle: handle } = response.response;
  if (handle && handle !== Buffer.from(userHandle(user)).toString('base64url'))
    throw new Error('the credential is of another account');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: Buffer.from(credential.id).toString('base64url'),
      publicKey: credential.publicKey,
      counter: credential.signCount,
    },
  });
  if (!verified) throw new Error('the signature does not hold');
  return authenticationInfo.newCounter;
}
