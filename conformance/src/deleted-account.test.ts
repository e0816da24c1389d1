import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { readMails, waitForMail } from '@linkoteca/server-process/read-mails';
import { Secret, TOTP } from 'otpauth';
import { expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';
import { pressButton } from './support/press-button.ts';
import { receiveChanges, SOON } from './support/receive-changes.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

const remove = (client: Client, body: object = { confirmation: 'EXCLUIR' }) =>
  client.functions.invoke('delete-account', { body });

/** A person who shares a category with everybody, and a browser of theirs that is open elsewhere. */
async function createSharer() {
  const person = await createPerson(deployment, { plan: 'pro' });
  const { folderId, categoryId } = await createShelf(person);
  await person.client
    .from('links')
    .insert({ title: 'Exemplo', url: 'https://exemplo.com.br', category_id: categoryId, user_id: person.id });
  const shared = await person.client.rpc('save_sharing', {
    category_id: categoryId,
    is_public: true,
    emails: [],
  });
  if (shared.error !== null) throw shared.error;
  const elsewhere = createVisitor(deployment);
  required((await elsewhere.auth.signInWithPassword(person)).data.session, null);
  return { person, folderId, categoryId, elsewhere };
}

/** The person signed in eleven minutes ago. */
async function ageSignIn({ id, client }: Person) {
  const database = await openServerDatabase(deployment.dataFolder);
  try {
    await database.query(
      `update auth.mfa_amr_claims set created_at = created_at - interval '11 minutes', updated_at = updated_at - interval '11 minutes'
       where session_id in (select id from auth.sessions where user_id = $1)`,
      [id],
    );
  } finally {
    await database.end();
  }
  await client.auth.refreshSession();
}

const sees = async (client: Client, categoryId: string) =>
  (await client.rpc('shared_category', { category_id: categoryId })).data;

test('a deleted account is out everywhere at once, and whole again once its owner signs in', async () => {
  const { person, folderId, categoryId, elsewhere } = await createSharer();
  const visitor = createVisitor(deployment);
  expect(await sees(visitor, categoryId)).toHaveLength(1);
  const channel = elsewhere.channel('velha');
  const heard = receiveChanges(channel, { table: 'folders' });
  await new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()));
  const token = required((await elsewhere.auth.getSession()).data.session, null).access_token;
  const headers = { apikey: deployment.anonKey, authorization: `Bearer ${token}` };

  const { data, error } = await remove(person.client);
  expect(error).toBeNull();
  const days = (Date.parse(data.restorableUntil) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);

  // The token has not expired.
  const ask = async (path: string, init?: RequestInit) =>
    await fetch(`${deployment.url}${path}`, {
      ...init,
      headers: { ...headers, 'content-type': 'application/json' },
    });
  for (const table of [
    'folders',
    'categories',
    'links',
    'favorites',
    'folder_looks',
    'inboxes',
    'manual_order',
    'saved_searches',
    'tags',
    'link_tags',
    'profiles',
    'subscribers',
    'shared_with',
  ])
    expect([table, await (await ask(`/rest/v1/${table}?select=*`)).json()]).toEqual([table, []]);
  const found = await ask('/rest/v1/rpc/search_links', { method: 'POST', body: '{"term":"exemplo"}' });
  expect(await found.json()).toEqual([]);
  const written = await ask('/rest/v1/folders', { method: 'POST', body: '{"name":"Nova"}' });
  expect(written.status).toBe(403);
  expect(
    (await ask('/functions/v1/link-preview', { method: 'POST', body: '{"url":"https://a.br"}' })).status,
  ).toBe(401);
  expect((await ask('/auth/v1/user')).status).toBe(403);
  expect((await ask('/auth/v1/user', { method: 'PUT', body: '{"data":{"name":"x"}}' })).status).toBe(403);
  expect((await elsewhere.auth.refreshSession()).data.session).toBeNull();
  expect(await sees(visitor, categoryId)).toEqual([]);

  // Rows that change now are told to nobody of theirs.
  await createOperator(deployment).from('folders').update({ name: 'Mexida' }).eq('id', folderId);
  const mail = await waitForMail(deployment.dataFolder, person.email, 2);
  expect(mail.subject).toBe('Sua conta na Linkoteca foi excluída');
  expect(heard).toEqual([]);

  const back = createVisitor(deployment);
  expect((await back.auth.signInWithPassword(person)).error).toBeNull();
  expect((await back.rpc('take_reopening_notice')).data).toBe('deletion');
  expect((await back.rpc('take_reopening_notice')).data).toBeNull();
  expect((await back.from('links').select('title')).data).toEqual([{ title: 'Exemplo' }]);
  expect((await back.from('categories').select('is_public')).data).toEqual([{ is_public: false }]);
  await elsewhere.removeAllChannels();
});

test('nobody deletes with a sign-in of long ago, without the word, or for somebody else', async () => {
  const person = await createPerson(deployment);
  const other = await createPerson(deployment);
  const refused = async (client: Client, body?: object) => {
    const { error } = await remove(client, body);
    const response = (error as { readonly context?: Response } | null)?.context;
    return [response?.status, (await response?.json())?.error];
  };
  expect(await refused(person.client, {})).toEqual([400, expect.stringContaining('EXCLUIR')]);
  expect((await refused(createVisitor(deployment)))[0]).toBe(401);
  expect((await remove(other.client, { confirmation: 'EXCLUIR', userId: person.id })).error).toBeNull();
  expect((await person.client.from('profiles').select('id')).data).toEqual([{ id: person.id }]);
  await ageSignIn(person);
  expect((await refused(person.client))[0]).toBe(403);
});

test('a factor added to an open session makes its sign-in no younger; signing in again, with the factor, does', async () => {
  const person = await createPerson(deployment);
  await ageSignIn(person);
  const { mfa } = person.client.auth;
  const enrolled = await mfa.enroll({ factorType: 'totp' });
  const { id: factorId, totp } = required(enrolled.data, enrolled.error);
  const app = new TOTP({ secret: Secret.fromBase32(totp.secret) });
  expect((await mfa.challengeAndVerify({ factorId, code: app.generate() })).error).toBeNull();
  const status = async (client: Client) =>
    ((await remove(client)).error as { readonly context?: Response } | null)?.context?.status;
  expect(await status(person.client)).toBe(403);

  const back = createVisitor(deployment);
  expect((await back.auth.signInWithPassword(person)).error).toBeNull();
  expect(await status(back)).toBe(401);
  // A code is good once.
  const code = app.generate({ timestamp: Date.now() + 30_000 });
  expect((await back.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  expect((await remove(back)).error).toBeNull();
});

test('whoever leaves is charged no more: the subscription ends first, and the purge takes the customer along', async () => {
  const person = await createPerson(deployment);
  const bought = await person.client.functions.invoke('create-checkout', {
    body: { priceId: 'price_emulator_plus_monthly', redirectUrl: `${deployment.url}/plans` },
  });
  await pressButton(bought.data.url, 'Assinar', { card: 'pm_card_visa' });
  const operator = createOperator(deployment);
  const read = async () =>
    (
      await operator
        .from('subscribers')
        .select('plan, subscription_status, stripe_customer_id')
        .eq('user_id', person.id)
        .maybeSingle()
    ).data;
  await expect.poll(read, SOON).toMatchObject({ plan: 'plus', subscription_status: 'active' });

  expect((await remove(person.client)).error).toBeNull();
  await expect.poll(async () => (await read())?.subscription_status, SOON).toBe('canceled');
  const back = createVisitor(deployment);
  expect((await back.auth.signInWithPassword(person)).error).toBeNull();
  expect((await back.from('profiles').select('plan')).data).toEqual([{ plan: 'free' }]);

  expect((await remove(back)).error).toBeNull();
  await age(person, `update private.account_closures set purge_after = now() where user_id = $1`);
  const round = await operator.functions.invoke('account-upkeep', { method: 'POST' });
  expect(round.data).toMatchObject({ failed: 0 });
  expect(await read()).toBeNull();
});

/** Moves what is written about an account back in time. */
async function age(person: Person, text: string): Promise<void> {
  const database = await openServerDatabase(deployment.dataFolder);
  try {
    await database.query(text, [person.id]);
  } finally {
    await database.end();
  }
}

test('the round purges whom thirty days have passed for, suspends the unused, and leaves the rest', async () => {
  const [gone, unused] = await Promise.all([createSharer(), createSharer()]);
  const stays = await createPerson(deployment);
  const files = createOperator(deployment).storage.from('arquivos');
  for (const { client, id } of [gone.person, stays])
    expect((await client.storage.from('arquivos').upload(`${id}/pasta/a.txt`, 'x')).error).toBeNull();
  for (const { person } of [gone]) expect((await remove(person.client)).error).toBeNull();
  await age(gone.person, `update private.account_closures set purge_after = now() where user_id = $1`);
  await age(unused.person, `delete from public.subscribers where user_id = $1`);
  await age(
    unused.person,
    `with s as (delete from auth.sessions where user_id = $1), m as (
       insert into private.account_mails (user_id, kind, occasion, deadline, state, finished_at)
       values ($1, 'inactive_second', '2025-01-01', now(), 'sent', now() - interval '8 days')
     ) update auth.users set created_at = '2025-01-01', last_sign_in_at = '2025-01-01' where id = $1`,
  );
  const round = await createOperator(deployment).functions.invoke('account-upkeep', { method: 'POST' });
  expect(round.error).toBeNull();
  expect(round.data).toMatchObject({ complete: true, failed: 0 });

  const visitor = createVisitor(deployment);
  expect((await visitor.auth.signInWithPassword(gone.person)).error?.code).toBe('invalid_credentials');
  expect(
    (await createOperator(deployment).from('links').select('id').eq('user_id', gone.person.id)).data,
  ).toEqual([]);
  expect((await files.list(gone.person.id)).data).toEqual([]);
  expect((await files.list(stays.id)).data).toHaveLength(1);
  expect(await sees(visitor, unused.categoryId)).toEqual([]);
  await expect
    .poll(async () => (await readMails(deployment.dataFolder, unused.person.email)).at(-1)?.subject, SOON)
    .toBe('Sua conta na Linkoteca foi suspensa');
  expect((await stays.client.from('profiles').select('id')).data).toHaveLength(1);

  expect((await visitor.auth.signInWithPassword(unused.person)).error).toBeNull();
  expect((await visitor.rpc('take_reopening_notice')).data).toBe('inactivity');
  expect(await sees(createVisitor(deployment), unused.categoryId)).toHaveLength(1);

  const person = await stays.client.functions.invoke('account-upkeep', { method: 'POST' });
  expect((person.error as { readonly context?: Response } | null)?.context?.status).toBe(403);
});
