import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import type { FeedSubject } from '../api/feed.ts';
import { FeedDialog } from './feed-dialog.tsx';

type Row = Record<string, unknown>;

/** As behind the login guard. */
function Guarded({ subject }: { readonly subject: FeedSubject }) {
  return usePerson() ? <FeedDialog open subject={subject} name="Pães" onClose={() => undefined} /> : null;
}

/** Over a service that tells one key from another. */
async function open({ key = null as string | null, subject = { categoryId: 'c1' } as FeedSubject } = {}) {
  const sent: [string, Row][] = [];
  const held = { key, failure: null as FakeAnswer | null };
  const respond = ({ path, body }: FakeRequest): FakeAnswer => {
    const name = path.replace('rpc/', '');
    if (name === 'feed_key') return { body: held.key };
    if (held.failure) return held.failure;
    sent.push([name, (body ?? {}) as Row]);
    if (name === 'close_feed') held.key = null;
    else held.key = held.key === null ? 'k'.repeat(24) : 'n'.repeat(24);
    return { body: held.key };
  };
  await renderWithProviders(<Guarded subject={subject} />, { respond });
  return { sent, held, user: userEvent.setup() };
}

const button = (name: string) => screen.findByRole('button', { name });
const address = async () =>
  (await screen.findByLabelText<HTMLInputElement>('Endereço para o leitor de notícias')).value;

test('whoever has no address makes one and copies it', async () => {
  const { user, sent } = await open();
  await user.click(await button('Criar endereço'));
  expect(await address()).toBe(`${window.location.origin}/feed/${'k'.repeat(24)}/atom.xml`);
  expect(sent).toEqual([['open_feed', { category_id: 'c1', renew: false }]]);
  await user.click(await button('Copiar endereço'));
  expect(await navigator.clipboard.readText()).toBe(await address());
  expect((await axe.run(document.body)).violations).toEqual([]);
});

test('one that was made is shown, and is changed after a question', async () => {
  const { user, sent } = await open({ key: 'k'.repeat(24), subject: { searchId: 's1' } });
  expect(await address()).toContain('kkkk');
  await user.click(await button('Trocar'));
  const question = within(await screen.findByRole('alertdialog', { name: 'Trocar o endereço?' }));
  await user.click(question.getByRole('button', { name: 'Cancelar' }));
  expect(sent).toEqual([]);
  await user.click(await button('Trocar'));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Trocar endereço' }),
  );
  await waitFor(async () => expect(await address()).toContain('nnnn'));
  expect(sent).toEqual([['open_feed', { search_id: 's1', renew: true }]]);
});

test('one is ended after a question', async () => {
  const { user, sent } = await open({ key: 'k'.repeat(24) });
  await user.click(await button('Desligar'));
  await user.click(
    within(await screen.findByRole('alertdialog', { name: 'Desligar o endereço?' })).getByRole('button', {
      name: 'Desligar endereço',
    }),
  );
  expect(await button('Criar endereço')).toBeTruthy();
  expect(sent).toEqual([['close_feed', { category_id: 'c1' }]]);
});

test('a refusal is told in the service’s words, another failure in ours, and nothing changes', async () => {
  const { user, held } = await open();
  held.failure = { status: 409, body: { code: 'PT409', message: 'No máximo 200 endereços.' } };
  await user.click(await button('Criar endereço'));
  expect(await screen.findByText('No máximo 200 endereços.')).toBeTruthy();
  held.failure = { status: 500, body: { code: 'XX000', message: 'segredo do banco' } };
  await user.click(await button('Criar endereço'));
  expect(await screen.findByText('Não foi possível criar o endereço. Tente de novo.')).toBeTruthy();
  expect(screen.queryByText(/segredo do banco/)).toBeNull();
});

test.each([
  ['Trocar', 'Trocar endereço', 'n'.repeat(24)],
  ['Desligar', 'Desligar endereço', null],
])('what is stored is shown although the answer was lost: %s', async (press, confirm, stored) => {
  const { user, held } = await open({ key: 'k'.repeat(24) });
  await user.click(await button(press));
  held.key = stored;
  held.failure = { status: 504, body: { code: '504', message: 'sem resposta' } };
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: confirm }));
  if (stored === null) expect(await button('Criar endereço')).toBeTruthy();
  else await waitFor(async () => expect(await address()).toContain(stored));
});
