import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listCaptures, removeCaptures } from '../../features/captures/api/outbox-store.ts';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('./begin-captures.ts'),
    import('../pages/save-window-page.tsx'),
    import('../pages/anywhere-page.tsx'),
    import('../../features/auth/components/login-screen.tsx'),
  ]),
);

const userId = fakeSession().user.id;
let close: ReturnType<typeof vi.fn>;
let focused: boolean;
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
  close = vi.fn();
  vi.stubGlobal('close', close);
  focused = true;
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused);
});
afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await removeCaptures(
    userId,
    (await listCaptures(userId)).map(({ place }) => place),
  );
});

function open(params: Record<string, string>, connection = createFakeConnection()) {
  const app = renderApp(`/salvar?${new URLSearchParams(params)}`, {
    auth: createFakeAuth(fakeSession()),
    connection,
  });
  return { ...app, connection, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) };
}

const save = () => screen.findByRole('button', { name: 'Salvar' });
const untilArmed = async () =>
  waitFor(async () => expect((await save()).getAttribute('aria-disabled')).toBeNull());
const saved = () => library.table('links').map(({ title, url }) => [title, url]);
const PAGE = { url: 'https://pao.com.br/receita', title: 'Pão' };

/** A folder that Dona shares, with one category: in it the person may write, or not. */
function share(mayWrite: boolean): string {
  const theirs = library.add('categories', { user_id: 'dona', folder_id: 'pasta-da-dona', name: 'Receitas' });
  library.tables['received_folders'] = [
    {
      folder_id: 'pasta-da-dona',
      name: 'Cozinha',
      owner_id: 'dona',
      owner_name: 'Dona',
      role: mayWrite ? 'editor' : 'viewer',
      may_write: mayWrite,
      shared_at: '2025-05-11T12:00:00Z',
    },
  ];
  return String(theirs['id']);
}

describe('folders that others share', () => {
  test('stand behind one’s own in the list, where one may write: the link is saved there', async () => {
    const theirs = share(true);
    const { user } = open(PAGE);
    await untilArmed();
    await user.click(screen.getByLabelText('Categoria'));
    await user.click(await screen.findByRole('option', { name: /Receitas/ }));
    expect(await screen.findByDisplayValue('Cozinha (de Dona) / Receitas')).toBeTruthy();
    await user.click(await save());
    expect(await screen.findByText('Salvo')).toBeTruthy();
    expect(library.table('links')).toMatchObject([{ title: 'Pão', category_id: theirs }]);
    expect(library.table('inboxes')).toEqual([]);
  });

  test('are none where one only looks on', async () => {
    const theirs = share(false);
    const { user } = open({ ...PAGE, category: theirs });
    await untilArmed();
    expect(await screen.findByText('Vazio: vai para a Entrada.')).toBeTruthy();
    await user.click(screen.getByLabelText('Categoria'));
    expect(screen.queryByRole('option', { name: /Receitas/ })).toBeNull();
  });

  test('are looked at for the page that is being saved', async () => {
    const theirs = share(false);
    library.add('links', { user_id: 'dona', category_id: theirs, title: 'Pão', url: PAGE.url });
    open(PAGE);
    expect(
      await screen.findByText(/Você já tem esta página em Cozinha \(de Dona\) \/ Receitas/),
    ).toBeTruthy();
  });
});

describe('the small window', () => {
  test('saves into the inbox by one press, says so, and closes', async () => {
    const { user } = open(PAGE);
    await untilArmed();
    expect(saved()).toEqual([]);
    await user.click(await save());
    expect(await screen.findByText('Salvo')).toBeTruthy();
    expect(saved()).toEqual([['Pão', 'https://pao.com.br/receita']]);
    expect(library.table('inboxes')).toHaveLength(1);
    expect(close).not.toHaveBeenCalled();
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  test('saves by Enter, and once where it is pressed twice', async () => {
    const { user } = open(PAGE);
    await untilArmed();
    await user.keyboard('{Enter}{Enter}');
    expect(await screen.findByText('Salvo')).toBeTruthy();
    expect(saved()).toHaveLength(1);
  });

  test('saves nothing by itself, however long it stands there', async () => {
    open(PAGE);
    await untilArmed();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saved()).toEqual([]);
    expect(await listCaptures(userId)).toEqual([]);
  });

  test('takes no press before it has been looked at for half a second, nor one that brings it to the front', async () => {
    focused = false;
    open(PAGE);
    const button = await save();
    await vi.advanceTimersByTimeAsync(5_000);
    fireEvent.click(button);
    fireEvent.submit(button.closest('form') as HTMLFormElement);
    fireEvent.focus(window);
    fireEvent.click(button);
    fireEvent.submit(button.closest('form') as HTMLFormElement);
    expect(saved()).toEqual([]);
    await vi.advanceTimersByTimeAsync(300);
    fireEvent.blur(window);
    fireEvent.focus(window);
    await vi.advanceTimersByTimeAsync(300);
    fireEvent.submit(button.closest('form') as HTMLFormElement);
    expect(await listCaptures(userId)).toEqual([]);
    await untilArmed();
    fireEvent.click(button);
    await waitFor(() => expect(saved()).toHaveLength(1));
  });

  test('saves into the category that the bookmarklet names; one that is not the person’s is none', async () => {
    const folder = library.add('folders', { name: 'Cozinha' });
    const sweets = library.add('categories', { name: 'Doces', folder_id: folder['id'] });
    const first = open({ ...PAGE, category: String(sweets['id']) });
    expect(await screen.findByDisplayValue('Cozinha / Doces')).toBeTruthy();
    await untilArmed();
    await first.user.click(await save());
    await screen.findByText('Salvo');
    expect(library.table('links')[0]?.['category_id']).toBe(sweets['id']);
    first.unmount();
    const second = open({
      ...PAGE,
      url: 'https://outra.br',
      category: '99999999-9999-4999-8999-999999999999',
    });
    expect(await screen.findByText('Vazio: vai para a Entrada.')).toBeTruthy();
    await untilArmed();
    await second.user.click(await save());
    await screen.findByText('Salvo');
    expect(library.table('inboxes').map((row) => row['category_id'])).toEqual([
      library.table('links')[0]?.['category_id'],
    ]);
  });

  test('saves there, too, where one presses before the library has come', async () => {
    const folder = library.add('folders', { name: 'Cozinha' });
    const sweets = library.add('categories', { name: 'Doces', folder_id: folder['id'] });
    library.control.beforeRead = (relation) =>
      relation === 'categories' ? new Promise(() => undefined) : Promise.resolve();
    const { user } = open({ ...PAGE, category: String(sweets['id']) });
    await untilArmed();
    await user.click(await save());
    await screen.findByText('Salvo');
    expect(library.table('links')).toMatchObject([{ title: 'Pão', category_id: sweets['id'] }]);
    expect(library.table('inboxes')).toEqual([]);
  });

  test('takes what is no id for none, also before the library has come', async () => {
    library.control.beforeRead = (relation) =>
      relation === 'categories' ? new Promise(() => undefined) : Promise.resolve();
    const { user } = open({ ...PAGE, category: 'doces' });
    await untilArmed();
    await user.click(await save());
    await screen.findByText('Salvo');
    expect(library.table('links')[0]?.['category_id']).toBe(library.table('inboxes')[0]?.['category_id']);
  });

  test.each([
    ['javascript:alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['file:///etc/passwd'],
    [''],
  ])('has nothing to save of %s', async (url) => {
    open({ url, title: 'Isca' });
    expect(await screen.findByText('Nenhum endereço para salvar')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Salvar' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Fechar' }));
    expect(close).toHaveBeenCalledOnce();
  });

  test('takes markup for text, and of two megabytes the start', async () => {
    const title = `<img src=x onerror="document.title='tomado'">`;
    const { container } = open({
      ...PAGE,
      title: title + 'x'.repeat(1_000_000),
      text: 'y'.repeat(1_000_000),
    });
    await untilArmed();
    expect(container.querySelector('img[src=x]')).toBeNull();
    expect(document.title).toBe('Salvar link · Linkoteca');
    fireEvent.click(await save());
    await screen.findByText('Salvo');
    const [link] = library.table('links');
    expect(String(link?.['title'])).toHaveLength(100);
    expect(String(link?.['title']).startsWith('<img src=x')).toBe(true);
    expect(String(link?.['description']).length).toBeLessThanOrEqual(1200);
  });

  test('says where the page is already', async () => {
    const folder = library.add('folders', { name: 'Cozinha' });
    const sweets = library.add('categories', { name: 'Doces', folder_id: folder['id'] });
    library.add('links', { title: 'Pão', url: PAGE.url, category_id: sweets['id'] });
    open(PAGE);
    expect(await screen.findByText(/Você já tem esta página em Cozinha \/ Doces/)).toBeTruthy();
  });

  test('keeps it without network, and closes', async () => {
    const { user, connection } = open(PAGE);
    await untilArmed();
    act(() => connection.set(false));
    await user.click(await save());
    expect(await screen.findByText('Guardado neste aparelho')).toBeTruthy();
    expect(await listCaptures(userId)).toHaveLength(1);
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  test('says that it is on its way where the service takes its time', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    library.control.beforeWrite = (relation) => (relation === 'rpc/capture_link' ? held : Promise.resolve());
    const { user } = open(PAGE);
    await untilArmed();
    await user.click(await save());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await screen.findByText('Indo para a sua biblioteca…')).toBeTruthy();
    letGo();
    await waitFor(async () => expect(await listCaptures(userId)).toEqual([]));
    expect(saved()).toHaveLength(1);
  });

  test('stays, and says why, where it is refused', async () => {
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/capture_link'
        ? {
            status: 400,
            body: { code: 'P0001', hint: 'plan_limit_links', details: '{"max":20}', message: 'x' },
          }
        : null;
    const { user } = open(PAGE);
    await untilArmed();
    await user.click(await save());
    expect(await screen.findByText(/^Seu plano chegou a 20 links\./)).toBeTruthy();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(close).not.toHaveBeenCalled();
    expect(await listCaptures(userId)).toHaveLength(1);
  });

  test('of a visitor leads to the sign-in form, and back', async () => {
    const app = renderApp(`/salvar?${new URLSearchParams(PAGE)}`, { auth: createFakeAuth(null) });
    await waitFor(() => expect(app.path()).toMatch(/^\/login/));
    expect(new URL(app.path(), 'http://a.br').searchParams.get('from')).toMatch(/^\/salvar\?/);
    expect(saved()).toEqual([]);
  });
});

describe('the page on saving from anywhere', () => {
  const openPage = (path = '/salvar-de-qualquer-lugar') => {
    renderApp(path, { auth: createFakeAuth(fakeSession()) });
    return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  };
  const button = () => screen.findByRole<HTMLAnchorElement>('link', { name: 'Salvar na Linkoteca' });

  test('has the bookmarklet of this app, for the inbox or a category', async () => {
    const folder = library.add('folders', { name: 'Cozinha' });
    const sweets = library.add('categories', { name: 'Doces', folder_id: folder['id'] });
    const user = openPage();
    expect(decodeURIComponent((await button()).href)).toContain(`${window.location.origin}/salvar?`);
    expect((await button()).href).not.toContain('category');
    await user.click(await screen.findByRole('combobox', { name: 'Categoria' }));
    await user.click(await screen.findByRole('option', { name: /Doces/ }));
    expect(decodeURIComponent((await button()).href)).toContain(`category:"${sweets['id']}"`);
  });

  test('does not save itself by a press: it says what to do', async () => {
    const user = openPage();
    await user.click(await button());
    expect(await screen.findByText('Arraste este botão para a barra de favoritos')).toBeTruthy();
  });

  test.each([
    ['Mozilla/5.0 (Windows NT 10.0)', 'No computador'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)', 'No iPhone e no iPad'],
    ['Mozilla/5.0 (Linux; Android 14)', 'No Android'],
  ])('begins with the device at hand: %s', async (userAgent, title) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    openPage();
    expect(await screen.findByRole('region', { name: title })).toBeTruthy();
  });

  test('tells an iPhone how the app is put on its screen, for no browser offers it there', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)',
    );
    openPage();
    const section = await screen.findByRole('region', { name: 'No iPhone e no iPad' });
    expect(within(section).getByText(/“Adicionar à Tela de Início”/)).toBeTruthy();
  });

  test('offers mail where the installation receives it, and only there', async () => {
    renderApp('/salvar-de-qualquer-lugar', {
      auth: createFakeAuth(fakeSession()),
      config: { mailDomain: 'entrada.exemplo.com.br' },
    });
    expect(await screen.findByRole('region', { name: 'Por e-mail' })).toBeTruthy();
    cleanup();
    openPage();
    expect(await button()).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Por e-mail' })).toBeNull();
  });

  test('is reached from an empty library', async () => {
    const user = openPage('/dashboard');
    await user.click(await screen.findByRole('link', { name: 'Salvar de qualquer lugar' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Salvar de qualquer lugar' })).toBeTruthy();
  });
});
