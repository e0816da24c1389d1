import { randomUUID } from 'node:crypto';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { expect, it } from 'vitest';
import { asAuthAdmin, createDatabase } from '../../../kernel/database.ts';
import { newPhone } from '../test-support/phones.ts';
import { newEmail } from '../test-support/sign-people-in.ts';
import { adoptUnconfirmed } from './credentials.ts';
import { insertUser } from './identities.ts';
import { confirmPhone } from './phones.ts';
import { findUser } from './users.ts';

it('an account that goes to the owner of its address keeps a proven number, and loses any other', async () => {
  const database = await createThrowawayDatabase();
  const db = createDatabase({ ...database.authenticator, max: 2 });
  const now = new Date();
  try {
    for (const isProven of [true, false]) {
      const [id, email, phone] = [randomUUID(), newEmail(), newPhone()];
      const adopted = await asAuthAdmin(db, 'test', async (tx) => {
        await insertUser(tx, { id, email, phone, passwordHash: 'hash', userMetadata: {} }, now);
        if (isProven) await confirmPhone(tx, { userId: id, phone }, now);
        const before = await findUser(tx, { id });
        if (before) await adoptUnconfirmed(tx, before, now);
        return findUser(tx, { id });
      });
      expect(adopted).toMatchObject({ email, phone: isProven ? phone : null, encrypted_password: '' });
      expect(adopted?.identities.map(({ provider }) => provider)).toEqual(isProven ? ['phone'] : []);
    }
  } finally {
    await db.pool.end();
    await database.drop();
  }
});
