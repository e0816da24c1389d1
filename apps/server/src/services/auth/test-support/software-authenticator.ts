import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const encode = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');

/** What an answer says; a test changes what it attacks. */
export type Said = {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  /** Left out it counts on. */
  readonly signCount?: number;
  readonly userHandle?: string;
  /** Of the client data, in place of the ceremony's. */
  readonly type?: string;
  /** `self`: signed with the new key itself (WebAuthn, section 8.2). */
  readonly attestation?: 'self' | { readonly fmt: string; readonly attStmt: ReadonlyMap<string, unknown> };
};

const FLAG = { present: 0x01, verified: 0x04, attested: 0x40 };

/** An authenticator without a device: one ES256 key, attestation `none`. (WebAuthn, sections 6.1 and 6.5.) */
export class SoftwareAuthenticator {
  readonly id: Buffer;
  readonly #privateKey: KeyObject;
  readonly #publicKey: Uint8Array;
  #signCount = 0;

  constructor(id: Buffer = randomBytes(32)) {
    this.id = id;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE: an EC2 key, ES256, P-256, its coordinates (RFC 9053).
    const cose = new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]);
    this.#publicKey = isoCBOR.encode(cose);
  }

  /** Answers `navigator.credentials.create`. */
  create(said: Said) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey]);
    const authData = Buffer.concat([this.#describe(said, FLAG.attested), attested]);
    const client = describeClient('webauthn.create', said);
    const signed = sign('sha256', Buffer.concat([authData, sha256(client)]), this.#privateKey);
    const self = {
      fmt: 'packed',
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['sig', Uint8Array.from(signed)],
      ]),
    };
    const { attestation = { fmt: 'none', attStmt: new Map() } } = said;
    const { fmt, attStmt } = attestation === 'self' ? self : attestation;
    const object = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', Uint8Array.from(authData)],
    ]);
    const attestationObject = isoCBOR.encode(object as Parameters<typeof isoCBOR.encode>[0]);
    return this.#answer({
      clientDataJSON: encode(client),
      attestationObject: encode(attestationObject),
      transports: ['internal'],
    });
  }

  /** Answers `navigator.credentials.get`. */
  request(said: Said) {
    const client = describeClient('webauthn.get', said);
    const authData = this.#describe(said, 0);
    const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), this.#privateKey);
    return this.#answer({
      clientDataJSON: encode(client),
      authenticatorData: encode(authData),
      signature: encode(signature),
      ...(said.userHandle === undefined ? {} : { userHandle: encode(said.userHandle) }),
    });
  }

  #answer<T extends object>(response: T) {
    const id = encode(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #describe({ rpId, userPresent = true, userVerified = true, signCount }: Said, flags: number): Buffer {
    const count = Buffer.alloc(4);
    this.#signCount = signCount ?? this.#signCount + 1;
    count.writeUInt32BE(this.#signCount);
    const seen = (userPresent ? FLAG.present : 0) | (userVerified ? FLAG.verified : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | seen]), count]);
  }
}

function describeClient(type: string, said: Said): string {
  const { challenge, origin } = said;
  return JSON.stringify({ type: said.type ?? type, challenge, origin, crossOrigin: false });
}
