import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { rememberUndo } from '../../../shared/lib/writes/undo-history.ts';
import { fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { beginWithLibrary } from '../../test/begin-with-library.ts';
import { openSignedIn } from '../../test/open-signed-in.ts';

const library = beginWithLibrary(() => import('./copy-category-dialog.tsx'));
/** What the service was asked to copy. */
let asked: unknown[];
/** What its answer waits for. */
let held: Promise<void>;
let mineId: unknown;
let theirsId: unknown;

/** A folder of one's own, 'Casa', and the category 'De Bia', which Bia shares. */
beforeEach(() => {
  localStorage.clear();
  mineId = library.add('folders', { name: 'Casa' })['id'];
  theirsId = library.add('categories', { name: 'De Bia', user_id: 'bia', name_users: 'Bia' })['id'];
  library.add('shared_with', { category_id: theirsId, email: fakeSession().user.email ?? '' });
  asked = [];
  held = Promise.resolve();
  const { fetch } = library;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    if (!String(request[0]).includes('rpc/copy_shared_category')) return fetch(...request);
    asked.push(JSON.parse(String(request[1]?.body)));
    await held;
    const copy = library.add('categories', { name: 'De Bia', folder_id: mineId, is_public: false });
    return Response.json(copy['id']);
  });
});

async function copyInto(folder: string) {
  const app = openSignedIn(`/category/${String(theirsId)}`);
  await app.user.click(await screen.findByRole('button', { name: 'Copiar para minha biblioteca' }));
  await app.user.click(await screen.findByRole('option', { name: folder }));
  return app;
}

test("somebody else's category is copied into one's own library, and the copy is a press away", async () => {
  const { user, path } = await copyInto('Casa');
  await user.click(await screen.findByRole('link', { name: /Abrir/ }));
  expect(asked).toEqual([{ category_id: theirsId, folder_id: mineId }]);
  expect(path()).not.toContain(String(theirsId));
  expect(await screen.findByRole('treeitem', { name: 'Casa' })).toBeTruthy();
});

test('a copy that is under way is taken back by the key, and not what was done before it', async () => {
  const answer = Promise.withResolvers<void>();
  held = answer.promise;
  const earlier = vi.fn();
  const forget = rememberUndo({ undo: earlier, drop: () => undefined });
  const { user } = await copyInto('Casa');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('{Control>}z{/Control}');
  answer.resolve();
  expect(await screen.findByText('Cópia desfeita')).toBeTruthy();
  expect(earlier).not.toHaveBeenCalled();
  expect(library.table('categories').map(({ name }) => name)).toEqual(['De Bia']);
  forget();
});
