import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Sidebar } from '../model/use-sidebar.ts';
import { SidebarFrame } from './sidebar-frame.tsx';

const tokens = readFileSync(createRequire(import.meta.url).resolve('@linkoteca/design/tokens.css'), 'utf8');

const nothing = () => undefined;
const wide: Sidebar = {
  narrow: false,
  collapsed: false,
  drawerOpen: false,
  toggle: nothing,
  closeDrawer: nothing,
};

function renderFrame(sidebar: Sidebar) {
  const component = () => (
    <SidebarFrame sidebar={sidebar} foot={<p>uso</p>}>
      <p>pastas</p>
    </SidebarFrame>
  );
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
}

test.each([
  ['open', wide],
  ['collapsed', { ...wide, collapsed: true }],
  ['a drawer', { ...wide, narrow: true, drawerOpen: true }],
])('%s, the logo leads to the dashboard', async (_how, sidebar) => {
  renderFrame(sidebar);
  const logo = await screen.findByRole('link', { name: 'Linkoteca, ir para o início' });
  expect(logo.getAttribute('href')).toBe('/dashboard');
});

test.each([
  ['open', wide, 'complementary', '--sidebar-width', '16rem'],
  ['collapsed', { ...wide, collapsed: true }, 'complementary', '--sidebar-width-collapsed', '3rem'],
  ['a drawer', { ...wide, narrow: true, drawerOpen: true }, 'dialog', '--sidebar-width-drawer', '18rem'],
])('%s, its width is that of the specification', async (_how, sidebar, role, token, width) => {
  renderFrame(sidebar);
  const frame = await screen.findByRole(role, { name: 'Navegação' });
  expect(frame.className.split(' ')).toContain(`w-(${token})`);
  expect(tokens).toContain(`${token}: ${width};`);
});

test('collapsed, there is no room for the foot', async () => {
  renderFrame({ ...wide, collapsed: true });
  expect(await screen.findByText('pastas')).toBeTruthy();
  expect(screen.queryByText('uso')).toBeNull();
});
