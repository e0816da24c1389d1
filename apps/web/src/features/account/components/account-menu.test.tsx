import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import { readPerson } from '../../../shared/lib/session/read-person.ts';
import { fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { AccountMenu } from './account-menu.tsx';

// Compiled here, so that no test measures the time it takes.
beforeAll(() => import('./account-popover.tsx'), 60_000);

/** Renders the menu's button over a library that has a link more each time it is counted. */
async function renderMenu() {
  const onOpenBilling = vi.fn();
  const onOpenShortcuts = vi.fn();
  let counted = 0;
  const component = () => (
    <AccountMenu
      person={readPerson(fakeSession().user)}
      leaving={false}
      onSignOut={() => undefined}
      onOpenBilling={onOpenBilling}
      onOpenShortcuts={onOpenShortcuts}
    />
  );
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() });
  await renderWithProviders(<RouterProvider router={router as never} />, {
    respond: ({ path }) => {
      if (path !== 'library_counts') return { body: [] };
      counted += 1;
      return { body: [{ folder_count: 1, category_count: 1, link_count: counted }] };
    },
  });
  return { onOpenBilling, onOpenShortcuts, user: userEvent.setup() };
}

const avatar = () => screen.findByRole('button', { name: 'Abrir menu da conta' });
const usage = async () => (await screen.findByText('Links')).parentElement?.textContent;

test('the avatar shows the initials', async () => {
  await renderMenu();
  // Drawn by the style sheet from this attribute.
  expect((await avatar()).querySelector('[data-initials="AS"]')).toBeTruthy();
});

test('each opening counts the links anew', async () => {
  const { user } = await renderMenu();
  await user.click(await avatar());
  await waitFor(async () => expect(await usage()).toBe('Links1/20'));
  await user.click(await avatar());
  await waitFor(() => expect(screen.queryByText('Links')).toBeNull());
  await user.click(await avatar());
  await waitFor(async () => expect(await usage()).toBe('Links2/20'));
});

test('Assinatura closes the menu and opens the billing tab', async () => {
  const { user, onOpenBilling } = await renderMenu();
  await user.click(await avatar());
  await user.click(await screen.findByRole('button', { name: /^Assinatura/ }));
  expect(onOpenBilling).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByText('Idioma')).toBeNull());
});

test('Atalhos do teclado closes the menu and opens the sheet', async () => {
  const { user, onOpenShortcuts } = await renderMenu();
  await user.click(await avatar());
  await user.click(await screen.findByRole('button', { name: /^Atalhos do teclado/ }));
  expect(onOpenShortcuts).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByText('Idioma')).toBeNull());
});
