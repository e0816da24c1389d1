import { expect, inject, test } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { createOperator, createVisitor } from './support/create-visitor.ts';
import { SOON } from './support/receive-changes.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

/** Addresses that no server goes to, so that what comes of it does not depend on a network. */
const NEVER_ASKED = [
  'http://127.0.0.1/',
  'http://impressora/',
  'http://10.1.2.3/senha',
  'https://exemplo.com.br:8443/',
];

test('who wants it has every link looked at, one function opening and another noting', async () => {
  const person = await createPerson(deployment);
  const { categoryId } = await createShelf(person);
  const links = NEVER_ASKED.map((url) => ({ title: url, url, category_id: categoryId, user_id: person.id }));
  expect((await person.client.from('links').insert(links)).error).toBeNull();
  expect((await person.client.rpc('link_checks')).data).toEqual([]);

  expect((await person.client.rpc('set_link_checks', { enabled: true })).error).toBeNull();
  const state = async () => required((await person.client.rpc('link_checks')).data?.[0], null);
  const { total } = await state();
  const { data, error } = await createOperator(deployment).functions.invoke('check-links', {
    method: 'POST',
  });
  expect(error).toBeNull();
  expect(data).toMatchObject({ complete: true });
  // Nobody was asked, so nothing is known, but the round is over.
  await expect.poll(state, SOON).toEqual({ total, checked: total, broken: 0, ended_at: expect.any(String) });
  const { data: found } = await person.client.rpc('search_links_by', { broken: true });
  expect(found).toEqual([]);
});

test.each(['check-links', 'link-status'])('%s is for the operator alone', async (name) => {
  const person = await createPerson(deployment);
  const body = { urls: ['http://127.0.0.1/'] };
  for (const client of [person.client, createVisitor(deployment)]) {
    const { error } = await client.functions.invoke(name, { body });
    expect(error.context.status).toBe(403);
  }
});
