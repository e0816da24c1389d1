import { waitForMail } from '@linkoteca/server-process/read-mails';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { type Assistant, connectAssistant, createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { createVisitor } from './support/create-visitor.ts';
import { shareFolder } from './support/share-folder.ts';

const deployment = inject('deployment');

let owner: Person;
let shelf: Shelf;
let token: string;
let assistant: Assistant;
beforeEach(async () => {
  owner = await createPerson(deployment, { plan: 'pro' });
  shelf = await createShelf(owner);
  ({ token } = await createPersonalToken(deployment, owner, 'links:read share'));
  assistant = await connectAssistant(deployment, token);
});

const share = (args: Readonly<Record<string, unknown>>, by = assistant) =>
  by.call('share_category', { category_id: shelf.categoryId, ...args });
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `pessoa-${at}@exemplo.test`);

/** How the category is shared, as its owner sees it. */
async function readSharing(person = owner, categoryId = shelf.categoryId) {
  const { data } = await person.client
    .from('categories')
    .select('is_public,shared_with(email)')
    .eq('id', categoryId)
    .single()
    .throwOnError();
  const { is_public, shared_with } = data as { is_public: boolean; shared_with: { email: string }[] };
  return { is_public, emails: shared_with.map(({ email }) => email).toSorted() };
}

/** What somebody who has the address is shown. */
async function openPage(client = createVisitor(deployment)) {
  const { data } = await client.rpc('shared_category', { category_id: shelf.categoryId }).throwOnError();
  return (data as readonly { name: string | null }[]).flatMap(({ name }) => name ?? []);
}

/** Calls as a program without the SDK sends them, in one message. */
function send(calls: readonly Readonly<Record<string, unknown>>[], bearer = token) {
  return fetch(`${deployment.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-03-26',
    },
    body: JSON.stringify(
      calls.map((args, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'share_category', arguments: { category_id: shelf.categoryId, ...args } },
      })),
    ),
  });
}

describe('an assistant that may share', () => {
  test('publishes a category, says where it is, and takes it back', async () => {
    const { body } = await share({ mode: 'public' });
    expect(body).toMatchObject({
      category: { id: shelf.categoryId, name: 'Artigos' },
      mode: 'public',
      mode_before: 'private',
      address: `${deployment.url}/shared/${shelf.categoryId}`,
      how_to_take_back: expect.stringMatching(/mode "private".*\/category\/.*"Compartilhar"/),
    });
    expect(await openPage()).toEqual(['Artigos']);
    expect((await share({ mode: 'public' })).body).toMatchObject({
      mode: 'public',
      how_to_take_back: 'Nothing has changed.',
    });
    const closed = await share({ mode: 'private' });
    expect(closed.body).toMatchObject({ mode: 'private', mode_before: 'public', address: null });
    expect(await openPage()).toEqual([]);
  });

  test('invites people one after the other, keeps who is there, and takes one off', async () => {
    const guest = await createPerson(deployment);
    const first = await share({ mode: 'restricted', add_emails: [guest.email.toUpperCase()] });
    expect(first.body).toMatchObject({
      mode: 'restricted',
      people: { count: 1, emails: [guest.email] },
      invited: { count: 1, emails: [guest.email] },
      removed: { count: 0, emails: [] },
    });
    // The first is of the sign-up.
    const mail = await waitForMail(deployment.dataFolder, guest.email, 2);
    expect(mail.text).toContain(`/shared/${shelf.categoryId}`);
    expect(await openPage(guest.client)).toEqual(['Artigos']);
    expect(await openPage()).toEqual([]);
    const second = await share({ mode: 'restricted', add_emails: ['bia@exemplo.test', guest.email] });
    expect(second.body).toMatchObject({
      people: { emails: [guest.email, 'bia@exemplo.test'] },
      invited: { emails: ['bia@exemplo.test'] },
      how_to_take_back: expect.stringContaining('the invited as remove_emails'),
    });
    const third = await share({ mode: 'restricted', remove_emails: [guest.email] });
    expect(third.body).toMatchObject({ people: { count: 1 }, removed: { emails: [guest.email] } });
    expect(await openPage(guest.client)).toEqual([]);
    const last = { mode: 'restricted', remove_emails: ['bia@exemplo.test'] };
    expect((await share(last)).body).toMatchObject({ mode: 'private', mode_before: 'restricted' });
    expect((await share(last)).body).toMatchObject({
      mode: 'private',
      how_to_take_back: 'Nothing has changed.',
    });
  });

  test('says whom a published category was shared with before, so that they can be invited again', async () => {
    await share({ mode: 'restricted', add_emails: ['bia@exemplo.test'] });
    expect((await share({ mode: 'public' })).body).toMatchObject({
      mode_before: 'restricted',
      removed: { count: 1, emails: ['bia@exemplo.test'] },
      how_to_take_back: expect.stringContaining('mode "restricted" and the removed as add_emails'),
    });
    await share({ mode: 'restricted', add_emails: ['bia@exemplo.test'] });
    expect(await readSharing()).toEqual({ is_public: false, emails: ['bia@exemplo.test'] });
  });

  test('hides nothing of an address from the person', async () => {
    const { body, text } = await share({ mode: 'restricted', add_emails: ['bia\u202e@exemplo.test'] });
    expect(body).toMatchObject({ invited: { emails: ['bia%E2%80%AE@exemplo.test'] } });
    expect(text).not.toContain('\u202e');
  });

  test('loses nobody of two calls that come side by side', async () => {
    const wanted = addresses(8);
    const reply = await send(wanted.map((email) => ({ mode: 'restricted', add_emails: [email] })));
    expect(reply.status).toBe(200);
    expect(await readSharing()).toEqual({ is_public: false, emails: wanted });
  });

  test('is told that the members of a shared folder see the category all the same', async () => {
    const shared = await shareFolder(deployment);
    const made = await createPersonalToken(deployment, shared.owner, 'links:read share');
    const { call } = await connectAssistant(deployment, made.token);
    const { body } = await call('share_category', { category_id: shared.categoryId, mode: 'private' });
    expect(body).toMatchObject({ mode: 'private', also_seen_by_members_of_its_folder: true });
    const alone = await call('share_category', { category_id: shared.privateId, mode: 'private' });
    expect(alone.body).not.toHaveProperty('also_seen_by_members_of_its_folder');
  });

  test('leaves its name in the history, where a person sees that this is not undone as one', async () => {
    await share({ mode: 'public' });
    const { data } = await owner.client
      .rpc('category_history', { category_id: shelf.categoryId })
      .throwOnError();
    expect(data[0]).toMatchObject({ act: 'published', program: 'Assistente', undo: 'never' });
  });

  test('marks the tool as one that reaches other people', async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools.find(({ name }) => name === 'share_category')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    });
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toHaveLength(1);
    expect(assistant.client.getInstructions()).toMatch(/asked for exactly that in this conversation/);
  });
});

describe('nothing is shared', () => {
  test.each([
    ['links:read', 'links:read share'],
    ['links:write', 'links:read links:write share'],
  ])('by a token of %s, whose program learns to ask for %s', async (scope, asked) => {
    const made = await createPersonalToken(deployment, owner, scope);
    const { client } = await connectAssistant(deployment, made.token);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('share_category');
    const reply = await send([{ mode: 'public' }], made.token);
    expect(reply.status).toBe(403);
    expect(reply.headers.get('www-authenticate')).toContain(`error="insufficient_scope", scope="${asked}"`);
    expect(await readSharing()).toEqual({ is_public: false, emails: [] });
  });

  test('of another person', async () => {
    const stranger = await createPerson(deployment, { plan: 'pro' });
    const made = await createPersonalToken(deployment, stranger, 'links:write share');
    const other = await connectAssistant(deployment, made.token);
    for (const wish of [{ mode: 'public' }, { mode: 'restricted', add_emails: [stranger.email] }]) {
      const { isError, text } = await share(wish, other);
      expect([isError, text]).toEqual([true, expect.stringMatching(/no such category/)]);
    }
    expect(await readSharing()).toEqual({ is_public: false, emails: [] });
  });

  test('of a folder in which the person is an editor, or of what they are shown', async () => {
    const shared = await shareFolder(deployment);
    for (const person of [shared.editor, shared.viewer]) {
      const made = await createPersonalToken(deployment, person, 'links:write share');
      const { call } = await connectAssistant(deployment, made.token);
      const { isError, text } = await call('share_category', {
        category_id: shared.categoryId,
        mode: 'public',
      });
      expect([isError, text]).toEqual([true, expect.stringMatching(/only their owner shares/)]);
    }
    expect(await readSharing(shared.owner, shared.categoryId)).toEqual({ is_public: false, emails: [] });
  });

  test.each([{ mode: 'public' }, { mode: 'restricted', add_emails: ['bia@exemplo.test'] }])(
    'by a plan that does not share, in the words of the product: %j',
    async (wish) => {
      const free = await createPerson(deployment);
      const { categoryId } = await createShelf(free);
      const made = await createPersonalToken(deployment, free, 'links:write share');
      const { call } = await connectAssistant(deployment, made.token);
      const { isError, text } = await call('share_category', { category_id: categoryId, ...wish });
      expect(isError).toBe(true);
      expect(text).toBe('Recurso indisponível. Compartilhar faz parte dos planos Plus e Pro.');
      expect(await readSharing(free, categoryId)).toEqual({ is_public: false, emails: [] });
    },
  );

  test('beyond the addresses that a category takes, until one of them goes', async () => {
    const full = addresses(100).toSorted();
    await owner.client
      .rpc('save_sharing', { category_id: shelf.categoryId, is_public: false, emails: full })
      .throwOnError();
    const more = { mode: 'restricted', add_emails: ['mais@exemplo.test'] };
    const { isError, text } = await share(more);
    expect([isError, text]).toEqual([true, 'No máximo 100 endereços por categoria']);
    expect((await readSharing()).emails).toEqual(full);
    const changed = await share({ ...more, remove_emails: [full[0]] });
    expect(changed.body).toMatchObject({ people: { count: 100 }, removed: { emails: [full[0]] } });
    expect(Buffer.byteLength(changed.text)).toBeLessThan(25_000);
  });

  test.each([
    [{ mode: 'public', add_emails: ['bia@exemplo.test'] }, /"restricted" alone/],
    [{ mode: 'restricted' }, /Nobody would be on the list/],
    [{ mode: 'restricted', add_emails: ['bia'] }, /Email inválido/],
    [{ mode: 'restricted', add_emails: addresses(21) }, /add_emails/],
    [{ mode: 'public', password: 'x' }, /password/],
  ])('by arguments that do not fit: %j', async (wish, words) => {
    const { isError, text } = await share(wish);
    expect([isError, text]).toEqual([true, expect.stringMatching(words)]);
    expect(await readSharing()).toEqual({ is_public: false, emails: [] });
  });

  test('by mistake no longer: a public page stays where the list would be empty', async () => {
    await share({ mode: 'public' });
    for (const wish of [{ add_emails: [owner.email] }, { remove_emails: ['bia@exemplo.test'] }])
      expect((await share({ mode: 'restricted', ...wish })).text).toMatch(/Nobody would be on the list/);
    expect(await readSharing()).toEqual({ is_public: true, emails: [] });
  });
});
