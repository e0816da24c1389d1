import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { call, type Reply } from './call-service.ts';
import type { Tokens } from './sign-people-in.ts';
import type { TestService } from './start-auth-service.ts';

export type App = { readonly factorId: string; readonly secret: string };

/** The code that an authenticator app shows, so many half minutes from now. */
export function codeOf(
  { clock }: Pick<TestService, 'clock'>,
  { secret }: Pick<App, 'secret'>,
  steps = 0,
): string {
  const timestamp = clock.now().getTime() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** A code that is none of now. */
export function wrongCodeOf(service: Pick<TestService, 'clock'>, app: Pick<App, 'secret'>): string {
  const near = [-1, 0, 1].map((steps) => codeOf(service, app, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? '';
}

/** Begins to add an app. */
export async function enrollApp(
  service: TestService,
  { access_token: token }: Pick<Tokens, 'access_token'>,
  friendlyName = '',
): Promise<App> {
  const body = { factor_type: 'totp', friendly_name: friendlyName };
  const reply = await call(service, 'POST /factors', { token, body });
  expect(reply).toMatchObject({ status: 200 });
  const { id, totp } = reply.body as { id: string; totp: { secret: string } };
  return { factorId: id, secret: totp.secret };
}

/** Asks for a code. @returns the challenge's id */
export async function challengeApp(
  service: TestService,
  { access_token: token }: Pick<Tokens, 'access_token'>,
  { factorId }: Pick<App, 'factorId'>,
): Promise<string> {
  const reply = await call(service, `POST /factors/${factorId}/challenge`, { token });
  expect(reply).toMatchObject({ status: 200 });
  return (reply.body as { id: string }).id;
}

/** Asks for a code and answers it. */
export async function answerApp(
  service: TestService,
  tokens: Pick<Tokens, 'access_token'>,
  { factorId }: Pick<App, 'factorId'>,
  code: string,
): Promise<Reply> {
  const body = { challenge_id: await challengeApp(service, tokens, { factorId }), code };
  return call(service, `POST /factors/${factorId}/verify`, { token: tokens.access_token, body });
}

/** Adds an app and proves it. @returns it, and the session of the second level */
export async function addApp(
  service: TestService,
  tokens: Pick<Tokens, 'access_token'>,
  friendlyName = '',
): Promise<{ readonly app: App; readonly tokens: Tokens }> {
  const app = await enrollApp(service, tokens, friendlyName);
  const reply = await answerApp(service, tokens, app, codeOf(service, app));
  expect(reply).toMatchObject({ status: 200 });
  return { app, tokens: reply.body as Tokens };
}
