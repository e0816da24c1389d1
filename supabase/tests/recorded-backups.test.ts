import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let database: ThrowawayDatabase;
let person: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  person = await createUser(database.admin);
  await database.admin.query(
    `insert into linkoteca_platform.backups (kind, finished_at, place) values ('scheduled', now(), '/segredo')`,
  );
});
afterAll(() => database.drop());

const read = 'select place from linkoteca_platform.backups';

describe('what is recorded of backups', () => {
  test('a stranger and a signed-in person see nothing of it, and the server reads it', async () => {
    for (const caller of ['anon', person] as const)
      await expect(queryAs(database, caller, read)).rejects.toMatchObject({ code: '42501' });
    expect((await queryAs(database, 'service_role', read)).rows).toEqual([{ place: '/segredo' }]);
  });

  test('nobody but the owner of the database changes it', async () => {
    const changes = [
      `insert into linkoteca_platform.backups (kind) values ('by_hand')`,
      `update linkoteca_platform.backups set failure = 'x'`,
      'delete from linkoteca_platform.backups',
      'truncate linkoteca_platform.backups',
    ];
    for (const caller of ['anon', person, 'service_role'] as const)
      for (const change of changes)
        await expect(queryAs(database, caller, change)).rejects.toMatchObject({ code: '42501' });
  });
});
