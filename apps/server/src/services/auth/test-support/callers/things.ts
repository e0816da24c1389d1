import { expect } from 'vitest';
import { type App, addApp, challengeApp } from '../authenticator-app.ts';
import { call } from '../call-service.ts';
import { ask, consent, letIn, look, type ProgramTokens, registerProgram } from '../let-programs-in.ts';
import { addPasskey, askRegistration, type OwnPasskey } from '../passkeys.ts';
import { OUR_SITE } from '../security-keys.ts';
import type { Tokens } from '../sign-people-in.ts';
import { SoftwareAuthenticator } from '../software-authenticator.ts';
import type { TestService } from '../start-auth-service.ts';

/** What Ana has beside her address and password: each may be named, asked of, changed or taken away by somebody. */
export type Things = {
  /** Of a session that has proven a factor. */
  readonly tokens: Tokens;
  readonly app: App;
  readonly challengeId: string;
  readonly spareAppId: string;
  readonly recoveryCodes: readonly string[];
  readonly passkey: OwnPasskey;
  /** A passkey that she is about to add. */
  readonly registration: { readonly challenge_id: string; readonly credential: unknown };
  readonly personal: { readonly id: string; readonly token: string };
  /** The code that a change of password may ask for. */
  readonly nonce: string;
};

export async function giveThings(service: TestService, signedIn: Tokens): Promise<Things> {
  const { app, tokens: raised } = await addApp(service, signedIn, 'app');
  const { app: spare, tokens } = await addApp(service, raised, 'outro');
  const token = tokens.access_token;
  const made = await call(service, 'POST /factors/recovery-codes', { token });
  const passkey = await addPasskey(service, tokens);
  const { challenge_id, options } = await askRegistration(service, tokens);
  const credential = new SoftwareAuthenticator().create({ ...OUR_SITE, challenge: options.challenge });
  const body = { name: 'Script', scope: 'links:read', days: 30 };
  const personal = await call(service, 'POST /user/tokens', { token, body });
  expect([made.status, personal.status]).toEqual([200, 201]);
  expect((await call(service, 'GET /reauthenticate', { token })).status).toBe(200);
  return {
    tokens,
    app,
    challengeId: await challengeApp(service, tokens, app),
    spareAppId: spare.factorId,
    recoveryCodes: (made.body as { codes: string[] }).codes,
    passkey,
    registration: { challenge_id, credential },
    personal: personal.body as Things['personal'],
    nonce: /\b\d{6}\b/.exec(service.mails.at(-1)?.subject ?? '')?.[0] ?? '',
  };
}

export type Programs = {
  /** One that Ana and Bia let in, one of Ana's alone, and one that has a secret. */
  readonly shared: string;
  readonly anas: string;
  readonly confidential: string;
  readonly reader: ProgramTokens;
  readonly writer: ProgramTokens;
  /** What a program asks Ana for; she has looked at it. */
  readonly authorizationId: string;
  /** The same, that nobody has looked at. */
  readonly unseenId: string;
  /** Ana has said yes, and the program may come for its tokens. */
  readonly consented: { readonly code: string; readonly verifier: string };
};

type Host = Parameters<typeof letIn>[3] & object;

export async function letProgramsIn(service: TestService, ana: Host, bia: Host): Promise<Programs> {
  const [shared, anas] = [await registerProgram(service), await registerProgram(service)];
  const confidential = await registerProgram(service, { token_endpoint_auth_method: 'client_secret_basic' });
  const reader = await letIn(service, shared, 'links:read', ana);
  await letIn(service, shared, 'links:read', bia);
  const writer = await letIn(service, anas, 'openid email links:read links:write', ana);
  const wanted = { client_id: shared.client_id, scope: 'openid email' };
  const authorizationId = await ask(service, wanted);
  expect((await look(service, authorizationId, ana.token)).body).toHaveProperty('client');
  return {
    shared: shared.client_id,
    anas: anas.client_id,
    confidential: confidential.client_id,
    reader,
    writer,
    authorizationId,
    unseenId: await ask(service, wanted),
    consented: await consent(service, shared, { scope: 'links:read' }, ana),
  };
}
