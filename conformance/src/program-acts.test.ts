import { randomUUID } from 'node:crypto';
import { beforeEach, expect, inject, test } from 'vitest';
import { type Api, openApi } from './support/call-api.ts';
import { type Assistant, connectAssistant, createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

let person: Person;
let shelf: Shelf;
let assistant: Assistant;
let api: Api;
beforeEach(async () => {
  person = await createPerson(deployment, { plan: 'pro' });
  shelf = await createShelf(person);
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  assistant = await connectAssistant(deployment, token);
  api = await openApi(deployment, token);
});

const wish = () => ({ url: `https://exemplo.test/${randomUUID()}`, title: 'Bolo' });
async function history(categoryId: string = shelf.categoryId) {
  const { data } = await person.client.rpc('category_history', { category_id: categoryId }).throwOnError();
  return data as readonly { id: number; act: string; count: number; undo: string | null }[];
}
const undo = async (entry: number) =>
  (await person.client.rpc('undo_program_act', { change_id: entry }).throwOnError()).data;
async function count(categoryId: string = shelf.categoryId) {
  const { count: counted } = await person.client
    .from('links')
    .select('id', { count: 'exact', head: true })
    .eq('category_id', categoryId)
    .throwOnError();
  return counted;
}

test('a call of a tool is one act, however many statements it takes', async () => {
  const before = await count();
  const links = Array.from({ length: 12 }, wish);
  await assistant.call('save_links', { links, category_id: shelf.categoryId });
  await assistant.call('save_links', { links: [wish()], category_id: shelf.categoryId });
  const [last, many] = await history();
  expect([last, many]).toMatchObject([
    { act: 'saved', count: 1, undo: 'possible' },
    { act: 'saved', count: 12, undo: 'possible' },
  ]);
  expect(await undo(required(many).id)).toEqual({ saved: 12 });
  expect(await count()).toBe(required(before) + 1);
});

test('two calls that came in one message are two acts', async () => {
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'save_links', arguments: { links: [wish(), wish()], category_id: shelf.categoryId } },
  });
  const reply = await fetch(`${deployment.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-03-26',
    },
    body: JSON.stringify([call(1), call(2)]),
  });
  expect(reply.status).toBe(200);
  const saved = (await history()).filter(({ undo: state }) => state === 'possible');
  // The two run side by side, so their entries may be several: undoing one of each brings two links back.
  const answers = [];
  for (const { id } of saved) answers.push(await undo(id));
  expect(answers.every((answer) => (answer as { saved: number }).saved === 2)).toBe(true);
  expect(answers.length).toBeGreaterThanOrEqual(2);
});

test('a request of the plain API is one act, with its tags', async () => {
  const body = { ...wish(), category_id: shelf.categoryId, tags: ['doces', 'festa'] };
  const { body: link } = await api.call<{ id: string }>('POST', '/links', { body });
  const change = { title: 'Torta', description: 'De limão', tags: ['doces', 'frutas'] };
  expect((await api.call('PATCH', `/links/${link.id}`, { body: change })).status).toBe(200);
  const [changed] = await history();
  await undo(required(changed).id);
  expect((await api.call('GET', `/links/${link.id}`)).body).toMatchObject({
    title: 'Bolo',
    description: null,
    tags: ['doces', 'festa'],
  });
});

test('neither the program nor a stranger undoes it', async () => {
  await assistant.call('save_links', { links: [wish()], category_id: shelf.categoryId });
  const [entry] = await history();
  const stranger = await createPerson(deployment, { plan: 'pro' });
  const refused = await stranger.client.rpc('undo_program_act', { change_id: required(entry).id });
  expect(refused.error).toMatchObject({ message: 'Não dá mais para desfazer' });
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  const reply = await fetch(`${deployment.url}/rest/v1/rpc/undo_program_act`, {
    method: 'POST',
    headers: {
      apikey: deployment.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ change_id: required(entry).id }),
  });
  expect(reply.status).toBe(404);
  expect(await count()).toBe(1);
});
