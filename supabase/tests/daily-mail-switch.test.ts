import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DailyMails, openDailyMails } from './support/daily-mails.ts';

let database: ThrowawayDatabase;
let daily: DailyMails;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  daily = await openDailyMails(database);
});

describe('the switch', () => {
  test('is off until somebody turns it, and theirs alone', async () => {
    const bia = await createUser(database.admin);
    expect([await daily.isOn(daily.ana), await daily.isOn(bia)]).toEqual([true, false]);
    await daily.turn(bia, false);
    expect([await daily.isOn(daily.ana), await daily.isOn(bia)]).toEqual([true, false]);
    await daily.turn(daily.ana, false);
    expect(await daily.isOn(daily.ana)).toBe(false);
    for (const call of ['daily_mail()', 'set_daily_mail(true)'])
      await expect(daily.value('anon', call)).rejects.toMatchObject({ code: '42501' });
    await expect(daily.turn(daily.ana, null)).rejects.toMatchObject({ code: 'PT400' });
  });

  test('brings the first mail the next morning, of what came since, however often it is turned', async () => {
    await daily.add(daily.library.owner, daily.library.categoryId, 'Antes');
    await daily.turn(daily.ana, false);
    await daily.turn(daily.ana, true);
    expect(await daily.claim(await daily.at(0, '23:59'))).toEqual([]);
    expect(await daily.send(await daily.at(1))).toEqual([]);
  });

  test('turned on where it is on, loses nothing', async () => {
    await daily.add(daily.library.owner, daily.library.categoryId, 'Antes');
    await daily.turn(daily.ana, true);
    expect(await daily.send(await daily.at(1))).toEqual([daily.ana.email]);
  });

  test('is forgotten with the account', async () => {
    await database.admin.query('delete from auth.users where id = $1', [daily.ana.id]);
    expect((await database.admin.query('select from private.daily_mails')).rowCount).toBe(0);
  });
});

describe('the key of a mail', () => {
  const keyOf = async () => {
    await daily.add(daily.library.owner, daily.library.categoryId, 'L');
    return (await daily.claim(await daily.at(1)))[0]?.unsubscribe_token;
  };
  const unsubscribe = (key: string | undefined, stop: boolean | null) =>
    daily.value('service_role', 'unsubscribe_daily_mail($1, $2)', key, stop);

  test('ends the daily mail alone, as often as it is used, and brings it back', async () => {
    const key = await keyOf();
    for (let times = 0; times < 2; times += 1) expect(await unsubscribe(key, true)).toBe(daily.ana.email);
    expect(await daily.isOn(daily.ana)).toBe(false);
    const { rows } = await database.admin.query('select unsubscribed_at from private.share_mail_addresses');
    expect(rows).toEqual([{ unsubscribed_at: null }]);
    expect(await unsubscribe(key, false)).toBe(daily.ana.email);
    expect(await daily.isOn(daily.ana)).toBe(true);
    // What came while it was off is not told.
    await daily.add(daily.library.owner, daily.library.categoryId, 'M');
    expect((await daily.claim(await daily.at(1)))[0]?.news).toMatchObject({ added: 1 });
  });

  test('turns on nothing that was switched off in the profile', async () => {
    const key = await keyOf();
    await daily.turn(daily.ana, false);
    expect(await unsubscribe(key, false)).toBeNull();
    expect(await daily.isOn(daily.ana)).toBe(false);
    expect(await unsubscribe(key, true)).toBe(daily.ana.email);
  });

  test('is of an address: it says nothing of another that the account has now', async () => {
    const key = await keyOf();
    await database.admin.query(`update auth.users set email = 'nova-' || email where id = $1`, [
      daily.ana.id,
    ]);
    expect(await unsubscribe(key, true)).toBe(daily.ana.email);
    expect(await daily.isOn(daily.ana)).toBe(true);
    expect(await unsubscribe(key, false)).toBeNull();
  });

  test('that nobody has changes nothing, and people do not call it', async () => {
    expect(await unsubscribe('00000000-0000-4000-8000-000000000000', true)).toBeNull();
    expect(await daily.isOn(daily.ana)).toBe(true);
    for (const call of [
      'unsubscribe_daily_mail(gen_random_uuid())',
      'claim_daily_mails()',
      'begin_daily_mail(gen_random_uuid())',
      `finish_daily_mail(gen_random_uuid(), 'sent')`,
    ])
      for (const who of [daily.ana, 'anon'] as const)
        await expect(daily.value(who, call)).rejects.toMatchObject({ code: '42501' });
  });
});
