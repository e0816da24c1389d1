import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose/jwt/decode';
import { expect } from 'vitest';
import { createKeyring } from '../../../../kernel/keyring.ts';
import { call } from '../call-service.ts';
import { createPerson, newEmail, signIn, type Tokens } from '../sign-people-in.ts';
import { PASSWORD, startAuthService, type TestService } from '../start-auth-service.ts';
import { OAUTH2_CLIENT } from '../start-oauth2-provider.ts';
import type { Caller } from './caller.ts';
import { openPlaces, type Places } from './places.ts';
import { giveThings, letProgramsIn, type Programs, type Things } from './things.ts';
import { addGithubIdentity, keepWaysIn, type WaysIn } from './ways-in.ts';

/** Caio is banned; Dora has not followed the link of her sign-up. */
export const PEOPLE = ['ana', 'bia', 'visitor', 'caio', 'dora'] as const;
export type PersonName = (typeof PEOPLE)[number];

export type Scene = {
  readonly service: TestService;
  readonly places: Places;
  readonly tokens: Readonly<Record<Caller, string | undefined>>;
  readonly people: Readonly<Record<PersonName, { readonly id: string; readonly email: string }>>;
  /** Of Ana's. */
  readonly things: Things;
  readonly waysIn: WaysIn;
  readonly programs: Programs;
  stop(): Promise<void>;
};

const OFF = { points: 0, seconds: 0 };

/** The service with all that asks who somebody is switched on, and people, each with things of their own. */
export async function createScene(): Promise<Scene> {
  const places = await openPlaces();
  const service = await startService(places);
  // One moment for all: no code, challenge or token runs out while the table is gone through.
  service.clock.hold();
  const [ana, bia, caio] = await Promise.all([1, 2, 3].map(() => createPerson(service)));
  if (!ana || !bia || !caio) throw new Error('there is nobody');
  const [bias, caios] = [await signIn(service, bia.email), await signIn(service, caio.email)];
  await addGithubIdentity(service, bia.id, 1);
  const banned = await call(service, `PUT /admin/users/${caio.id}`, {
    token: service.keyring.serviceRoleKey,
    body: { ban_duration: '24h' },
  });
  const visitors = (await call(service, 'POST /signup', { body: {} })).body as Tokens;
  const dora = { email: newEmail(), password: PASSWORD };
  const signedUp = await call(service, 'POST /signup', { body: dora });
  expect([banned.status, signedUp.status]).toEqual([200, 200]);

  const things = await giveThings(service, await signIn(service, ana.email));
  const waysIn = await keepWaysIn(service, places, { ...ana, ...things });
  const programs = await letProgramsIn(
    service,
    { person: ana, token: things.tokens.access_token },
    { person: bia, token: bias.access_token },
  );
  // From now on it is known in front of the services, and its use is not noted again.
  await call(service, 'GET /user', { token: things.personal.token });
  const otherwise = await signAnaInOtherwise(service, ana.email);
  // What is written from now on says another moment than what is there.
  service.clock.advance(1);
  return {
    service,
    places,
    tokens: {
      ...otherwise,
      nobody: undefined,
      guest: service.keyring.anonKey,
      person: things.tokens.access_token,
      stranger: bias.access_token,
      visitor: visitors.access_token,
      banned: caios.access_token,
      reader: programs.reader.access_token,
      writer: programs.writer.access_token,
      idToken: programs.writer.id_token,
      personal: things.personal.token,
      operator: service.keyring.serviceRoleKey,
    },
    people: {
      ana,
      bia,
      caio,
      visitor: { id: visitors.user.id, email: '' },
      dora: { id: (signedUp.body as { id: string }).id, email: dora.email },
    },
    things,
    waysIn,
    programs,
    stop: async () => {
      await service.stop();
      await places.stop();
    },
  };
}

function startService({ github, google }: Places): Promise<TestService> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return startAuthService({
    settings: {
      saml: { privateKey, relayStateLifetime: 600 },
      signInProviders: {
        github: { issuer: github.url, ...OAUTH2_CLIENT },
        google: { issuer: google.issuer, clientId: 'linkoteca', clientSecret: 'x' },
      },
      anonymousSignInsEnabled: true,
      oauthDynamicRegistration: true,
      requestsPerAddress: OFF,
      refreshesPerAddress: OFF,
      anonymousSignInsPerAddress: OFF,
      oauthRegistrationsPerAddress: OFF,
      failedVerificationsPerAddress: OFF,
    },
  });
}

/** After her factors were proven, which ends the sessions that have not. */
async function signAnaInOtherwise(service: TestService, email: string) {
  const { access_token: firstLevel } = await signIn(service, email);
  const { access_token: signedOut } = await signIn(service, email);
  expect((await call(service, 'POST /logout?scope=local', { token: signedOut })).status).toBe(204);
  const claims = decodeJwt(firstLevel);
  const now = service.clock.now().getTime() / 1000;
  const stranger = await createKeyring({
    secrets: ['a secret of somebody else who forges tokens of people'],
  });
  return {
    firstLevel,
    signedOut,
    expired: await service.keyring.signAccessToken({ ...claims, iat: now - 7200, exp: now - 3600 }),
    forged: await stranger.signAccessToken(claims),
  };
}
