import { act, renderHook } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { readSidebarCollapsed, sidebarCookie } from './sidebar-cookie.ts';
import { useSidebar } from './use-sidebar.ts';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
  document.cookie = 'linkoteca-sidebar=; path=/; max-age=0';
});

test('Ctrl+B collapses and expands, and the state is kept in a cookie', async () => {
  const { result } = renderHook(useSidebar);
  expect(result.current.collapsed).toBe(false);
  await userEvent.keyboard('{Control>}b{/Control}');
  expect(result.current.collapsed).toBe(true);
  expect(readSidebarCollapsed(document.cookie)).toBe(true);
  expect(renderHook(useSidebar).result.current.collapsed).toBe(true);
});

test('Cmd+B does the same, B alone and Ctrl+Shift+B do nothing', async () => {
  const { result } = renderHook(useSidebar);
  await userEvent.keyboard('b{Control>}{Shift>}b{/Shift}{/Control}');
  expect(result.current.collapsed).toBe(false);
  await userEvent.keyboard('{Meta>}b{/Meta}');
  expect(result.current.collapsed).toBe(true);
});

test('on a narrow screen it opens and closes the drawer and never collapses', () => {
  const wide = window.matchMedia;
  window.matchMedia = (query) => ({ ...wide(query), matches: true }) as MediaQueryList;
  const { result } = renderHook(useSidebar);
  act(() => result.current.toggle());
  expect(result.current).toMatchObject({ narrow: true, collapsed: false, drawerOpen: true });
  // Pressed again because nothing is to be seen yet.
  act(() => result.current.toggle());
  expect(result.current.drawerOpen).toBe(true);
  document.body.append(Object.assign(document.createElement('div'), { role: 'dialog' }));
  act(() => result.current.toggle());
  expect(result.current.drawerOpen).toBe(false);
  act(() => result.current.toggle());
  act(() => result.current.closeDrawer());
  expect(result.current.drawerOpen).toBe(false);
  document.body.replaceChildren();
});

test('the cookie lasts seven days', () => {
  expect(sidebarCookie(true)).toBe('linkoteca-sidebar=collapsed; path=/; max-age=604800; samesite=lax');
});
