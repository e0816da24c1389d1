import { expect } from 'vitest';
import { call, type Reply } from './call-service.ts';
import { OUR_SITE } from './security-keys.ts';
import type { Tokens } from './sign-people-in.ts';
import { type Said, SoftwareAuthenticator } from './software-authenticator.ts';
import type { TestService } from './start-auth-service.ts';

type Session = Pick<Tokens, 'access_token'>;
export type AskedPasskey = {
  readonly challenge_id: string;
  readonly options: { readonly challenge: string } & Record<string, unknown>;
  readonly expires_at: number;
};
export type OwnPasskey = {
  readonly id: string;
  readonly userId: string;
  readonly authenticator: SoftwareAuthenticator;
};

/** What the browser has to ask for, of somebody's new passkey. */
export async function askRegistration(
  service: TestService,
  { access_token: token }: Session,
): Promise<AskedPasskey> {
  const reply = await call(service, 'POST /passkeys/registration/options', { token, body: {} });
  expect(reply).toMatchObject({ status: 200 });
  return reply.body as AskedPasskey;
}

/** Sends what an authenticator has said to that. */
export function sendRegistration(
  service: TestService,
  { access_token: token }: Session,
  body: { readonly challenge_id: string; readonly credential?: unknown },
): Promise<Reply> {
  return call(service, 'POST /passkeys/registration/verify', { token, body });
}

/** Asks for a new passkey and has an authenticator make it. @param said what it says otherwise than a right one */
export async function register(
  service: TestService,
  session: Session,
  authenticator = new SoftwareAuthenticator(),
  said: Partial<Said> = {},
): Promise<Reply> {
  const { challenge_id, options } = await askRegistration(service, session);
  const credential = authenticator.create({ ...OUR_SITE, challenge: options.challenge, ...said });
  return sendRegistration(service, session, { challenge_id, credential });
}

/** Adds a passkey. */
export async function addPasskey(service: TestService, tokens: Tokens): Promise<OwnPasskey> {
  const authenticator = new SoftwareAuthenticator();
  const reply = await register(service, tokens, authenticator);
  expect(reply).toMatchObject({ status: 200 });
  return { id: (reply.body as { id: string }).id, userId: tokens.user.id, authenticator };
}

export async function askSignIn(service: TestService): Promise<AskedPasskey> {
  const reply = await call(service, 'POST /passkeys/authentication/options', { body: {} });
  expect(reply).toMatchObject({ status: 200 });
  return reply.body as AskedPasskey;
}

export function sendSignIn(
  service: TestService,
  body: { readonly challenge_id: string; readonly credential?: unknown },
): Promise<Reply> {
  return call(service, 'POST /passkeys/authentication/verify', { body });
}

/** Asks for a passkey and has one answer. @param said what it says otherwise than a right one */
export async function signInByPasskey(
  service: TestService,
  { authenticator, userId }: Omit<OwnPasskey, 'id'>,
  said: Partial<Said> = {},
): Promise<Reply> {
  const { challenge_id, options } = await askSignIn(service);
  const { challenge } = options;
  const credential = authenticator.request({ ...OUR_SITE, challenge, userHandle: userId, ...said });
  return sendSignIn(service, { challenge_id, credential });
}
