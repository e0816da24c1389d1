import { vi } from 'vitest';

/** A browser that asks for security keys: each gives what a test says, or is refused as by a person who says no. */
export function stubSecurityKeys() {
  const refuse = async (_options: unknown): Promise<unknown> => {
    throw new DOMException('The operation was not allowed.', 'NotAllowedError');
  };
  const credentials = { create: vi.fn(refuse), get: vi.fn(refuse) };
  vi.stubGlobal('PublicKeyCredential', class PublicKeyCredential {});
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true });
  return credentials;
}

/** What the service answers when it is asked for a challenge. */
export function fakeChallenge(type: 'create' | 'request', publicKey: object) {
  const webauthn = { type, credential_options: { publicKey } };
  return { data: { id: 'desafio', type: 'webauthn', webauthn }, error: null };
}
