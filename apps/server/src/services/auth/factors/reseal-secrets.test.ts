import { eventually } from '@linkoteca/test-kit/eventually';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { asAuthAdmin, createDatabase, type Database } from '../../../kernel/database.ts';
import { createKeyring } from '../../../kernel/keyring.ts';
import { createTextSealer } from '../../../kernel/sealed-text.ts';
import { DEFAULT_AUTH_SETTINGS } from '../auth-settings.ts';
import { createAuthService } from '../create-auth-service.ts';
import { enrollApp } from '../test-support/authenticator-app.ts';
import { createPerson, signIn } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { resealFactorSecrets } from './reseal-secrets.ts';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

let service: TestService;
let db: Database;
beforeAll(async () => {
  service = await startAuthService();
  db = createDatabase({ ...service.admin.options, max: 1 });
});
afterAll(async () => {
  await db.pool.end();
  await service.stop();
});

test('every secret is sealed with the newest key, and what no key opens is left alone', async () => {
  const { email } = await createPerson(service);
  const tokens = await signIn(service, email);
  const app = await enrollApp(service, tokens, 'A');
  const lost = await enrollApp(service, tokens, 'B');
  const [older, newer] = ['um segredo antigo, que já passou', 'um segredo novo, que acaba de vir'];
  const sealed = (secret: string) =>
    createTextSealer([secret], 'factor-secret').seal('JBSWY3DPEHPK3PXP', app.factorId);
  const write = (id: string, secret: string) =>
    service.admin.query('update auth.mfa_factors set secret = $2 where id = $1', [id, secret]);
  await write(app.factorId, sealed(older));
  // Moved from another row.
  await write(lost.factorId, sealed(older));

  const rotating = createTextSealer([newer, older], 'factor-secret');
  const left = await asAuthAdmin(db, 'seal anew', (tx) => resealFactorSecrets(tx, rotating, FIRST_ID));
  expect(left).toBeUndefined();
  const secretOf = async (id: string) =>
    (await service.admin.query('select secret from auth.mfa_factors where id = $1', [id])).rows[0]?.secret;
  const after = createTextSealer([newer], 'factor-secret');
  expect(after.unseal(await secretOf(app.factorId), app.factorId)?.text).toBe('JBSWY3DPEHPK3PXP');
  expect(rotating.unseal(await secretOf(lost.factorId), app.factorId)).toEqual({
    text: 'JBSWY3DPEHPK3PXP',
    outdated: true,
  });
});

test('a service that starts with a newer secret seals anew what the one before has sealed, however much there is', async () => {
  const { id, email } = await createPerson(service);
  const app = await enrollApp(service, await signIn(service, email), 'C');
  // A first batch that no key opens stands before it.
  await service.admin.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at, secret)
      select ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, $1, 'totp', 'unverified', now(), now(),
        'aes-256-gcm:v1:perdida:' from generate_series(1, 500) n`,
    [id],
  );
  onTestFinished(async () => {
    await service.admin.query('delete from auth.mfa_factors where user_id = $1', [id]);
  });
  const newest = 'um segredo novo, que vale de agora em diante';
  // The second is that of `startAuthService`.
  const secrets = [newest, 'a secret that is only used by the tests of auth'];
  const send = async () => undefined;
  const server = fastify();
  onTestFinished(() => server.close());
  await server.register(
    createAuthService({
      db,
      keyring: await createKeyring({ secrets }),
      mailer: { send },
      texter: { send },
      settings: { ...DEFAULT_AUTH_SETTINGS, siteUrl: SITE_URL },
      now: () => new Date(),
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    }),
  );
  const alone = createTextSealer([newest], 'factor-secret');
  await eventually(async () => {
    const { rows } = await service.admin.query('select secret from auth.mfa_factors where id = $1', [
      app.factorId,
    ]);
    expect(alone.unseal(rows[0]?.secret, app.factorId)).toEqual({ text: app.secret, outdated: false });
  });
});
