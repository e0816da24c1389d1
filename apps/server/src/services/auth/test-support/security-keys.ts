import { expect } from 'vitest';
import { call, type Reply } from './call-service.ts';
import type { Tokens } from './sign-people-in.ts';
import { type Said, SoftwareAuthenticator } from './software-authenticator.ts';
import { SITE_URL, type TestService } from './start-auth-service.ts';

type Session = Pick<Tokens, 'access_token'>;
export type Key = { readonly factorId: string; readonly authenticator: SoftwareAuthenticator };
export type AskedKey = {
  readonly id: string;
  readonly webauthn: {
    readonly type: 'create' | 'request';
    readonly credential_options: {
      readonly publicKey: { readonly challenge: string } & Record<string, unknown>;
    };
  };
};

/** The site that the service is for. */
export const OUR_SITE = { origin: new URL(SITE_URL).origin, rpId: new URL(SITE_URL).hostname };

/** Begins to add a key. @returns the factor's id */
export async function enrollKey(service: TestService, { access_token: token }: Session, friendlyName = '') {
  const body = { factor_type: 'webauthn', friendly_name: friendlyName };
  const reply = await call(service, 'POST /factors', { token, body });
  expect(reply).toMatchObject({ status: 200, body: { type: 'webauthn', friendly_name: friendlyName } });
  return (reply.body as { id: string }).id;
}

/** Asks for a key, as auth-js does. */
export async function challengeKey(
  service: TestService,
  { access_token: token }: Session,
  factorId: string,
  webauthn: object = { rpId: OUR_SITE.rpId, rpOrigins: [OUR_SITE.origin] },
): Promise<AskedKey> {
  const body = { factorId, webauthn };
  const reply = await call(service, `POST /factors/${factorId}/challenge`, { token, body });
  expect(reply).toMatchObject({ status: 200, body: { type: 'webauthn' } });
  return reply.body as AskedKey;
}

/** Sends what an authenticator has said. */
export function sendAnswer(
  service: TestService,
  { access_token: token }: Session,
  factorId: string,
  { id, type, response }: { readonly id: string; readonly type: string; readonly response: unknown },
  ip?: string,
): Promise<Reply> {
  const webauthn = { type, rpId: OUR_SITE.rpId, rpOrigins: [OUR_SITE.origin], credential_response: response };
  const body = { challenge_id: id, webauthn };
  return call(service, `POST /factors/${factorId}/verify`, { token, body, ...(ip ? { ip } : {}) });
}

/** Asks for a key and has an authenticator answer. @param said what it says otherwise than a right one */
export async function answerKey(
  service: TestService,
  session: Session,
  { factorId, authenticator }: Key,
  said: Partial<Said> = {},
): Promise<Reply> {
  const { id, webauthn } = await challengeKey(service, session, factorId);
  const { challenge } = webauthn.credential_options.publicKey;
  const response = authenticator[webauthn.type]({ ...OUR_SITE, challenge, ...said });
  return sendAnswer(service, session, factorId, { id, type: webauthn.type, response });
}

/** Adds a key and proves it. @returns it, and the session of the second level */
export async function addKey(
  service: TestService,
  session: Session,
  friendlyName = '',
): Promise<{ readonly key: Key; readonly tokens: Tokens }> {
  const factorId = await enrollKey(service, session, friendlyName);
  const key = { factorId, authenticator: new SoftwareAuthenticator() };
  const reply = await answerKey(service, session, key);
  expect(reply).toMatchObject({ status: 200 });
  return { key, tokens: reply.body as Tokens };
}
