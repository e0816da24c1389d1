import { randomUUID } from 'node:crypto';
import { findLink, readMails, waitForMail } from '@linkoteca/server-process/read-mails';
import { FunctionsHttpError } from '@supabase/supabase-js';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';

const deployment = inject('deployment');
let owner: Person;
let other: Person;
let categoryId: string;
beforeAll(async () => {
  [owner, other] = await Promise.all([
    createPerson(deployment, { name: 'Marta "Mal" <b>', plan: 'pro' }),
    createPerson(deployment, { name: 'Outra Pessoa', plan: 'plus' }),
  ]);
  ({ categoryId } = await createShelf(owner));
});

const newAddress = () => `convidada-${randomUUID()}@example.com`;
const mailsTo = (address: string) => readMails(deployment.dataFolder, address);

async function notify(client: Client, body: unknown) {
  const { data, error } = await client.functions.invoke('share-notification', {
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const response = (error as { context?: Response } | null)?.context;
  return { data, error, status: response?.status, text: response && (await response.json()).error };
}

async function save(person: Person, id: string, emails: readonly string[]): Promise<void> {
  const { error } = await person.client.rpc('save_sharing', { category_id: id, is_public: false, emails });
  if (error !== null) throw error;
}

test('an invited person gets one mail, however often it is asked for, and it says what the database says', async () => {
  const [ana, bia, stranger] = [newAddress(), newAddress(), newAddress()];
  await save(owner, categoryId, [ana]);
  const lies = { categoryName: 'Banco', ownerName: 'Gerente', description: 'https://mal.example' };
  const asked = await Promise.all(
    Array.from({ length: 3 }, () =>
      notify(owner.client, { categoryId, emails: [ana.toUpperCase(), stranger], ...lies }),
    ),
  );
  expect(asked.map(({ data, error }) => [data, error])).toEqual(Array(3).fill([{ queued: 1 }, null]));
  const mail = await waitForMail(deployment.dataFolder, ana);
  expect(mail.subject).toBe('Marta "Mal" <b> compartilhou “Artigos” com você');
  expect(findLink(mail, '/shared/')).toBe(`${deployment.url}/shared/${categoryId}`);
  expect(JSON.stringify(mail)).not.toMatch(/Banco|Gerente|mal\.example/);
  expect(mail.html).not.toContain('<b>');

  // Whoever is invited later is written to alone: by then a second mail to the first would be there as well.
  await save(owner, categoryId, [ana, bia]);
  await waitForMail(deployment.dataFolder, bia);
  expect([await mailsTo(ana), await mailsTo(stranger)]).toEqual([expect.objectContaining({ length: 1 }), []]);
});

test('a client that writes the list itself asks for the mails', async () => {
  const ana = newAddress();
  const inserted = await owner.client.from('shared_with').insert({ category_id: categoryId, email: ana });
  expect(inserted.error).toBeNull();
  expect((await notify(owner.client, { categoryId, emails: [ana] })).data).toEqual({ queued: 1 });
  await waitForMail(deployment.dataFolder, ana);
});

test('whoever is invited to a folder gets one mail without anybody asking for it, which leads into the folder', async () => {
  const [ana, bia] = [newAddress(), newAddress()];
  const { categoryId: inFolder, folderId } = await createShelf(owner, 'Receitas');
  const invited = await owner.client
    .from('folder_members')
    .insert({ folder_id: folderId, email: ana, role: 'editor' });
  expect(invited.error).toBeNull();
  const mail = await waitForMail(deployment.dataFolder, ana);
  expect(mail.subject).toMatch(/^Marta "Mal" <b> compartilhou a pasta “Receitas” com você$/);
  expect(mail.text).toContain('Você pode editar.');
  expect(findLink(mail, '/category/')).toBe(`${deployment.url}/category/${inFolder}`);

  const changed = await owner.client
    .from('folder_members')
    .update({ role: 'manager' })
    .eq('folder_id', folderId);
  expect(changed.error).toBeNull();
  const refused = await other.client
    .from('folder_members')
    .insert({ folder_id: folderId, email: bia, role: 'viewer' });
  expect(refused.error).toMatchObject({ code: '42501' });
  // By the time that somebody else's has come, a second one would be there as well.
  const last = newAddress();
  await owner.client.from('folder_members').insert({ folder_id: folderId, email: last, role: 'viewer' });
  await waitForMail(deployment.dataFolder, last);
  expect([await mailsTo(ana), await mailsTo(bia)]).toEqual([expect.objectContaining({ length: 1 }), []]);
});

describe('refused', () => {
  test.each([
    ['somebody else’s category', () => other.client, () => ({ categoryId, emails: ['a@a.br'] }), 404],
    ['no category', () => owner.client, () => ({ categoryId: randomUUID(), emails: ['a@a.br'] }), 404],
    ['a visitor', () => createVisitor(deployment), () => ({ categoryId, emails: ['a@a.br'] }), 401],
    ['text', () => owner.client, () => 'isto não é JSON', 400],
    ['a null in an address', () => owner.client, () => ({ categoryId, emails: ['a\u0000@a.br'] }), 400],
    [
      'a thousand addresses',
      () => owner.client,
      () => ({ categoryId, emails: Array.from({ length: 1000 }, (_, n) => `a${n}@a.br`) }),
      400,
    ],
  ])('%s', async (_what, client, body, status) => {
    const answer = await notify(client(), body());
    expect(answer.error).toBeInstanceOf(FunctionsHttpError);
    expect([answer.data, answer.status]).toEqual([null, status]);
    expect(answer.text).toMatch(/^[A-ZÀ-Ú][^{}]+$/);
  });

  test('somebody else’s category in the words for none', async () => {
    const [theirs, none] = await Promise.all([
      notify(other.client, { categoryId, emails: [] }),
      notify(other.client, { categoryId: randomUUID(), emails: [] }),
    ]);
    expect([theirs.status, theirs.text]).toEqual([none.status, none.text]);
  });
});

describe('the end of these mails', () => {
  const oneClick = (url: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  const readAddress = (header: string | undefined) => header?.replace(/^<|>$/g, '') ?? '';

  test('takes one press of a mail program, without any key, and holds for every sender until it is undone', async () => {
    const [ana, bia] = [newAddress(), newAddress()];
    await save(owner, categoryId, [ana]);
    const mail = await waitForMail(deployment.dataFolder, ana);
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const url = readAddress(headers['list-unsubscribe']);

    const opened = await fetch(url, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, findLink(mail, '/unsubscribe')]);
    expect(await (await oneClick(url)).json()).toEqual({ email: ana, stopped: true });

    const { categoryId: theirs } = await createShelf(other);
    await save(other, theirs, [ana, bia]);
    // The sender sees no difference.
    expect((await notify(other.client, { categoryId: theirs, emails: [ana, bia] })).data).toEqual({
      queued: 2,
    });
    await waitForMail(deployment.dataFolder, bia);
    expect(await mailsTo(ana)).toHaveLength(1);

    const token = new URL(url).searchParams.get('token');
    const undone = await createVisitor(deployment).functions.invoke('share-unsubscribe', {
      body: { token, stop: false },
    });
    expect(undone.data).toEqual({ email: ana, stopped: false });
    // What waited goes now that it may.
    await notify(other.client, { categoryId: theirs, emails: [ana] });
    await waitForMail(deployment.dataFolder, ana, 2);
  });

  test('a key of nobody ends nothing', async () => {
    const answer = await oneClick(`${deployment.url}/functions/v1/share-unsubscribe?token=${randomUUID()}`);
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'Este link não vale mais' }]);
  });

  test.each([
    ['claim_share_notifications', { max: 0 }],
    ['claim_folder_notifications', { max: 0 }],
    ['begin_share_notification', { id: randomUUID() }],
    ['finish_share_notification', { id: randomUUID(), outcome: 'sent' }],
    ['unsubscribe_share_mail', { token: randomUUID(), stop: true }],
    ['claim_daily_mails', { max: 0 }],
    ['begin_daily_mail', { id: randomUUID() }],
    ['finish_daily_mail', { id: randomUUID(), outcome: 'sent' }],
    ['unsubscribe_daily_mail', { token: randomUUID(), stop: true }],
  ])('%s answers the operator alone', async (name, args) => {
    expect((await owner.client.rpc(name, args)).error).toMatchObject({ code: '42501' });
    expect((await createVisitor(deployment).rpc(name, args)).error).toMatchObject({ code: '42501' });
    expect((await createOperator(deployment).rpc(name, args)).error).toBeNull();
  });
});
