import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeConnection } from '../../../shared/test/create-fake-connection.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import type { KeepForLater } from '../model/link-for-later.ts';
import { CATEGORY, groups } from '../test/render-link-dialog.tsx';
import { layOutPastedList, renderPasteMany as setUp, storedRows } from '../test/render-paste-many.tsx';
import { PasteManyDialog } from './pasting/paste-many-dialog.tsx';

beforeEach(layOutPastedList);

afterEach(() => {
  vi.unstubAllGlobals();
});

test('more than a request takes goes in pieces; what was saved leaves the list when a piece fails', async () => {
  const text = Array.from({ length: 450 }, (_, n) => `Link ${n} - https://a.com/${n}`).join('\n');
  let answers = 0;
  const { user, requests, shown, counted } = await setUp(
    text,
    { allowance: { used: 0, max: null } },
    {
      respond: (request) => {
        answers += 1;
        return answers === 2 ? { status: 500, body: { code: 'XX000', message: 'x' } } : storedRows(request);
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Salvar 450 links' }));
  expect(await screen.findByText('200 de 450 links foram salvos')).toBeTruthy();
  expect(requests.map((sent) => sent.length)).toEqual([200, 200]);
  await waitFor(() => expect(shown()).toHaveLength(200));
  expect(shown()[0]).toBe('Link 250');
  expect(counted).toEqual([450, 200]);
  expect(screen.getByText('250 links encontrados')).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Salvar 250 links' }));
  expect(await screen.findByText('250 links salvos com sucesso')).toBeTruthy();
  const sent = requests.slice(2).flat();
  expect(sent).toHaveLength(250);
  expect(new Set(sent.map(({ url }) => url)).has('https://a.com/449')).toBe(false);
});

function CountingDialog() {
  const [used, setUsed] = useState(18);
  return (
    <PasteManyDialog
      open
      text={'https://a.com\nhttps://b.com'}
      categoryId={CATEGORY}
      groups={groups}
      allowance={{ used, max: 20 }}
      beginCountLinks={async () => {
        setUsed(20);
        return { undo: () => setUsed(18), settle: () => undefined };
      }}
      createPlace={async () => ({ kind: 'failed', reason: '' })}
      onClose={() => undefined}
    />
  );
}

test('the links that are being saved do not count against their own room', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 502 }));
  let fail: () => void = () => undefined;
  await renderWithProviders(<CountingDialog />, {
    respond: ({ path }) =>
      path === 'rpc/find_links_by_url'
        ? { body: [] }
        : new Promise((_resolve, reject) => {
            fail = () => reject(new TypeError('Failed to fetch'));
          }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Salvar 2 links' }));
  expect(await screen.findByRole('button', { name: 'Salvando...' })).toBeTruthy();
  expect(screen.getByText('Cabem mais 2 links no seu plano.')).toBeTruthy();
  fail();
  expect(await screen.findByText('Não foi possível salvar os links')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Salvar 2 links' })).toBeTruthy();
});

test('without network what is chosen is kept on this device, to stand in its order; a title nobody said is asked for later', async () => {
  const keepForLater = vi.fn<KeepForLater>(async () => true);
  const connection = createFakeConnection(false);
  const { user, requests, onClose } = await setUp(
    'Pão - https://a.com\nhttps://b.com\nhttps://c.com',
    { keepForLater },
    { connection },
  );
  await user.click(await screen.findByRole('checkbox', { name: /c\.com/ }));
  await user.click(screen.getByRole('button', { name: 'Salvar 2 links' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(keepForLater.mock.calls).toEqual([
    [
      [
        expect.objectContaining({ url: 'https://b.com', title: null, categoryId: CATEGORY, tags: [] }),
        expect.objectContaining({ url: 'https://a.com', title: 'Pão', categoryId: CATEGORY, tags: [] }),
      ],
    ],
  ]);
  expect(requests).toEqual([]);
});

test('what cannot be kept without network stays in the dialog', async () => {
  const { user, onClose } = await setUp(
    'https://a.com\nhttps://b.com',
    { keepForLater: async () => false },
    { connection: createFakeConnection(false) },
  );
  await user.click(await screen.findByRole('button', { name: 'Salvar 2 links' }));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Salvar 2 links' })).toHaveProperty('disabled', false),
  );
  expect(onClose).not.toHaveBeenCalled();
});

test('with network nothing is kept aside, whatever could keep it', async () => {
  const keepForLater = vi.fn<KeepForLater>(async () => true);
  const { user, requests } = await setUp('https://a.com\nhttps://b.com', { keepForLater });
  await user.click(await screen.findByRole('button', { name: 'Salvar 2 links' }));
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(keepForLater).not.toHaveBeenCalled();
});
