import { afterAll, beforeAll, expect, test } from 'vitest';
import { asAuthAdmin, createDatabase, type Database } from '../../../kernel/database.ts';
import { createTextSealer } from '../../../kernel/sealed-text.ts';
import { enrollApp } from '../test-support/authenticator-app.ts';
import { createPerson, signIn } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';
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
