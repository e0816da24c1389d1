import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { letPass } from '../../../shared/test/let-pass.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { LinkLimitBanner } from './link-limit-banner.tsx';

async function renderBanner(plan: string, links: number, path = '/dashboard') {
  const asked: string[] = [];
  const router = createRouter({
    routeTree: createRootRoute({ component: LinkLimitBanner, notFoundComponent: () => null }),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  const { queryClient } = await renderWithProviders(<RouterProvider router={router as never} />, {
    respond: ({ path }) => {
      asked.push(path);
      if (path === 'profiles') return { body: [{ plan }] };
      if (path === 'library_counts')
        return { body: [{ folder_count: 1, category_count: 1, link_count: links }] };
      return { body: [] };
    },
  });
  await waitFor(() => expect(asked).toContain('library_counts'));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
}

test.each([
  ['free', 18, 'Apenas 2 links restantes do seu limite de 20.'],
  ['free', 19, 'Apenas 1 link restante do seu limite de 20.'],
  ['free', 20, 'Você atingiu o limite de 20 links.'],
  ['plus', 499, 'Apenas 1 link restante do seu limite de 500.'],
])('%s with %i links', async (plan, links, words) => {
  await renderBanner(plan, links);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByText(/Faça upgrade do seu plano para adicionar mais links\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ver planos' }).getAttribute('href')).toBe('/plans');
});

test('on the page of the plans it does not offer to lead there', async () => {
  await renderBanner('free', 20, '/plans');
  expect(await screen.findByText('Você atingiu o limite de 20 links.')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

test.each([
  ['free', 17],
  ['pro', 20],
])('%s with %i links shows no banner', async (plan, links) => {
  await renderBanner(plan, links);
  await letPass(0);
  expect(screen.queryByRole('link', { name: 'Ver planos' })).toBeNull();
});
