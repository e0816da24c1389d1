import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { fakeLibrary } from '../test/fake-library.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

type Checks = { total: number; checked: number; broken: number; ended_at: string | null };

let library: ReturnType<typeof fakeLibrary>;
/** What the service knows: null while it is off. */
let checks: Checks | null;
let broken: { link_id: string; failed_since: string; status: number | null }[];
/** What was asked of the service, with its body. */
let asked: string[];
/** What the service does not answer. */
let refused: string | null;

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('../pages/search-route.tsx'),
    import('../pages/profile-page.tsx'),
    import('./link-checks/broken-links-section.tsx'),
    import('./repeated-links/repeated-links-section.tsx'),
    import('./transfer-tab.tsx'),
    import('../../features/account/components/data-panel.tsx'),
  ]);
}, 60_000);

beforeEach(() => {
  library = fakeLibrary();
  checks = null;
  broken = [];
  asked = [];
  refused = null;
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'] });
  for (const title of ['Antena', 'Cabo'])
    library.add('links', { title, url: `https://exemplo.com/${title}`, category_id: category['id'] });
  const rows = () => library.table('links').filter(({ id }) => broken.some(({ link_id }) => link_id === id));
  const answers: Record<string, (body: { enabled?: boolean; broken?: boolean }) => unknown> = {
    link_checks: () => (checks ? [checks] : []),
    set_link_checks: ({ enabled }) => {
      checks = enabled ? { total: 2, checked: 0, broken: 0, ended_at: null } : null;
      if (!enabled) broken = [];
      return null;
    },
    broken_links: () => broken,
    search_links_by: (body) => (body.broken ? rows().map((row) => ({ ...row, category_name: 'Redes' })) : []),
    count_links_by: () => rows().length,
  };
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const name =
      new URL(String(input instanceof Request ? input.url : input)).pathname.split('/').at(-1) ?? '';
    const answer = answers[name];
    if (answer === undefined) return await library.fetch(input, init);
    asked.push(`${name} ${String(init?.body ?? '')}`);
    if (name === refused) return Response.json({ message: 'no' }, { status: 500 });
    return Response.json(answer(JSON.parse(String(init?.body ?? '{}'))));
  });
  Element.prototype.scrollIntoView = () => undefined;
  // jsdom lays nothing out.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
function open(path = '/search?q=%C3%A9%3Aquebrado', config = {}) {
  return { ...renderApp(path, { auth: createFakeAuth(fakeSession()), config }), user: userEvent.setup() };
}
const breakLink = (title: string, status: number | null) => {
  const link_id = String(library.table('links').find((link) => link['title'] === title)?.['id']);
  broken.push({ link_id, failed_since: '2026-11-12T15:00:00Z', status });
};

test('it is off until somebody wants it, and says what it does', async () => {
  const { user } = open();
  const turnOn = await screen.findByRole('button', { name: 'Verificar meus links' });
  expect(screen.getByText(/uma vez por mês/)).toBeDefined();
  expect(screen.getByText('Nenhum link marcado como quebrado')).toBeDefined();
  expect(asked.filter((each) => each.startsWith('set_link_checks'))).toEqual([]);
  await user.click(turnOn);
  await screen.findByText('Verificação ligada');
  expect(screen.getByText('Nenhum link quebrado')).toBeDefined();
  expect(screen.getByText(/0 de 2 links verificados/)).toBeDefined();
});

test('each broken link says what is wrong, and where a copy may be', async () => {
  checks = { total: 2, checked: 2, broken: 2, ended_at: '2026-11-20T15:00:00Z' };
  breakLink('Antena', 404);
  breakLink('Cabo', null);
  open();
  const list = await screen.findByRole('list', { name: 'Links encontrados' });
  await within(list).findByText('Página não encontrada (404) desde 12/11/2026');
  expect(within(list).getByText('O site não responde desde 12/11/2026')).toBeDefined();
  const copies = within(list).getAllByRole('link', { name: 'Cópia no Internet Archive' });
  expect(copies.map((copy) => copy.getAttribute('href')).toSorted()).toEqual([
    'https://web.archive.org/web/https://exemplo.com/Antena',
    'https://web.archive.org/web/https://exemplo.com/Cabo',
  ]);
  // Tab reaches the copy of the one link that it reaches.
  expect(copies.map((copy) => copy.tabIndex)).toEqual([0, -1]);
  expect(screen.getByText(/Última volta em 20\/11\/2026/)).toBeDefined();
  expect(screen.getByText('2 links quebrados')).toBeDefined();
});

test('other questions ask nothing of it', async () => {
  open('/search?q=%C3%A9%3Afavorito');
  await screen.findByText(SEARCH_MESSAGES.empty);
  expect(asked.filter((each) => /link_checks|broken_links/.test(each))).toEqual([]);
});

test('turned off, everything is forgotten', async () => {
  checks = { total: 2, checked: 2, broken: 1, ended_at: '2026-11-20T15:00:00Z' };
  breakLink('Antena', 404);
  const { user } = open('/profile?tab=data');
  const section = await screen.findByRole('region', { name: 'Links quebrados' });
  await within(section).findByText('1 link quebrado');
  const way = within(section).getByRole('link', { name: 'Ver links quebrados' });
  expect(way.getAttribute('href')).toBe('/search?q=%C3%A9%3Aquebrado');
  await user.click(within(section).getByRole('button', { name: 'Desligar verificação' }));
  await within(section).findByRole('button', { name: 'Verificar meus links' });
});

test('what the service refuses is said, and nothing changes', async () => {
  const { user } = open();
  const turnOn = await screen.findByRole('button', { name: 'Verificar meus links' });
  refused = 'set_link_checks';
  await user.click(turnOn);
  await screen.findByText('Não foi possível mudar a verificação');
  expect(checks).toBeNull();
  expect(screen.getByRole('button', { name: 'Verificar meus links' })).toBeDefined();
});

test('where it cannot be asked it says so, and asks again', async () => {
  refused = 'link_checks';
  const { user } = open('/profile?tab=data');
  const section = await screen.findByRole('region', { name: 'Links quebrados' });
  const again = await within(section).findByRole('button', { name: 'Tentar de novo' });
  expectConsoleError(/read failed/);
  refused = null;
  await user.click(again);
  await within(section).findByRole('button', { name: 'Verificar meus links' });
});

test('an installation that looks at no links says so', async () => {
  open('/profile?tab=data', { linkChecks: false });
  const section = await screen.findByRole('region', { name: 'Links quebrados' });
  expect(within(section).getByText('Esta instalação não verifica links.')).toBeDefined();
  expect(within(section).queryByRole('button')).toBeNull();
});
