import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { useFolderPage } from './folder-page.ts';
import { useHeldCategories } from './hold-back-categories.ts';

function Counts() {
  const page = useFolderPage('f').data;
  const held = useHeldCategories('f').data;
  return page && held ? <p>{[page.publicCount, page.openCount, held.length].join(' ')}</p> : null;
}

test('of a folder of a thousand categories and one all are counted, and each can be held back', async () => {
  const rows = Array.from({ length: 1_001 }, (_, at) => ({
    id: `c${at}`,
    is_public: true,
    is_held_back: false,
  }));
  await renderWithProviders(<Counts />, {
    respond: ({ path, query }) => {
      if (path !== 'categories') return { body: path === 'folders' ? [{ is_public: true }] : [] };
      const from = Number(query.get('offset'));
      return { body: rows.slice(from, from + 1_000) };
    },
  });
  expect(await screen.findByText('1001 1001 1001')).toBeTruthy();
});
