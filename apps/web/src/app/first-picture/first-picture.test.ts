import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { takeConfig } from '../../shared/lib/early-config.ts';
import { drawFirstPictures } from './draw-first-pictures.tsx';

const PERSON = {
  user: { id: '1', email: 'ana@exemplo.com.br', user_metadata: { full_name: 'Ana <b>Lima' } },
};

// As where it is built: for a browser that has passkeys.
vi.stubGlobal('PublicKeyCredential', class {});
const drawn = await drawFirstPictures();
vi.unstubAllGlobals();
/** Where the page's script leaves what the app's start waits for. */
const HELD = Symbol.for('linkoteca.picture');
const held = (): Promise<void> | undefined => Reflect.get(globalThis, HELD);

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  Reflect.deleteProperty(globalThis, HELD);
  window.history.replaceState(null, '', '/');
});

/** The app's page as a browser has it when its script has run, and where the app will be drawn. */
async function openPage(path: string) {
  window.history.replaceState(null, '', path);
  document.body.innerHTML = `<div id="root"></div>${drawn}`;
  const script = document.querySelector('script')?.textContent ?? '';
  // biome-ignore lint/security/noGlobalEval: as the browser runs it
  globalThis.eval(script);
  const root = document.getElementById('root');
  if (root === null) throw new Error('no root');
  return { root, picture: document.getElementById('first-picture') };
}

const FORM = '<main><form><input name="email"><input name="password" type="password"></form></main>';

test('a visitor sees the form of /login before the app, with its links', async () => {
  const { picture } = await openPage('/login');
  expect(picture?.querySelector('h1')?.textContent).toBe('Entrar');
  expect([...(picture?.querySelectorAll('input') ?? [])].map(({ name, type }) => [name, type])).toEqual([
    ['email', 'email'],
    ['password', 'password'],
  ]);
  expect(picture?.querySelector('a[href="/reset-password"]')).not.toBeNull();
  expect(picture?.querySelector('script')).toBeNull();
});

test('the way in by a passkey stands there where the browser has it, as it will on the screen', async () => {
  expect((await openPage('/login')).picture?.querySelector('[data-passkey]')).toBeNull();
  vi.stubGlobal('PublicKeyCredential', class {});
  const { picture } = await openPage('/login');
  expect(picture?.querySelector('[data-passkey]')?.textContent).toBe('Entrar com uma chave de acesso');
});

test('who meant to open a page is led back there by a new account, too', async () => {
  const { picture } = await openPage('/category/1?a=b');
  const signUp = picture?.querySelector('a[href^="/signup"]')?.getAttribute('href');
  expect(signUp).toBe('/signup?from=%2Fcategory%2F1%3Fa%3Db');
});

test('who is signed in sees the frame, the page that comes and their name as text', async () => {
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify(PERSON));
  const { picture } = await openPage('/dashboard');
  expect(picture?.querySelector('h1')?.textContent).toBe('Olá, Ana');
  expect(picture?.querySelector('aside')).not.toBeNull();
  expect(picture?.querySelectorAll('[data-page]')).toHaveLength(1);
  const category = await openPage('/category/1');
  expect(category.picture?.querySelector('h1')?.textContent).toBe('Categoria');
});

test('a name is text, whatever it holds, and a broken sign-in leaves the page empty', async () => {
  const user = { ...PERSON.user, user_metadata: { firstName: '<img src=x>' } };
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify({ user }));
  const { picture } = await openPage('/dashboard');
  expect(picture?.querySelector('h1')?.textContent).toBe('Olá, <img src=x>');
  expect(picture?.querySelector('h1 img')).toBeNull();
  localStorage.setItem('sb-localhost-auth-token', 'broken');
  expect((await openPage('/dashboard')).picture).toBeNull();
});

test('who keeps the sidebar collapsed is shown none', async () => {
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify(PERSON));
  // biome-ignore lint/suspicious/noDocumentCookie: as the app writes it
  document.cookie = 'linkoteca-sidebar=collapsed; path=/';
  const { picture } = await openPage('/dashboard');
  expect(picture?.querySelector('aside')).toBeNull();
  // biome-ignore lint/suspicious/noDocumentCookie: as the browser forgets it
  document.cookie = 'linkoteca-sidebar=; path=/; max-age=0';
});

test('the picture stays over the spinner, and goes with the first screen', async () => {
  const { root, picture } = await openPage('/login');
  root.innerHTML = '<div role="status"></div>';
  await Promise.resolve();
  expect(picture?.isConnected).toBe(true);
  root.innerHTML = FORM;
  await waitFor(() => expect(picture?.isConnected).toBe(false));
});

test('what was typed, focused and sent meanwhile is given to the screen, and goes nowhere else', async () => {
  const { root, picture } = await openPage('/login');
  const field = (place: ParentNode | null, name: string) => {
    const input = place?.querySelector<HTMLInputElement>(`input[name=${name}]`);
    if (!input) throw new Error(`no ${name}`);
    return input;
  };
  field(picture, 'email').value = 'ana@exemplo.com.br';
  field(picture, 'password').value = 'segredo';
  field(picture, 'password').focus();
  const sending = new SubmitEvent('submit', { bubbles: true, cancelable: true });
  picture?.querySelector('form')?.dispatchEvent(sending);
  expect(sending.defaultPrevented).toBe(true);
  const heard = vi.fn();
  root.addEventListener('input', heard);
  const sent = vi.fn((event: Event) => event.preventDefault());
  root.addEventListener('submit', sent);
  root.innerHTML = FORM;
  await waitFor(() => expect(picture?.isConnected).toBe(false));
  expect(field(root, 'email').value).toBe('ana@exemplo.com.br');
  expect(field(root, 'password').value).toBe('segredo');
  expect(document.activeElement).toBe(field(root, 'password'));
  expect(heard).toHaveBeenCalledTimes(2);
  expect(sent).toHaveBeenCalledOnce();
});

test('who has come to the way past the sidebar by the keyboard is still there on the screen', async () => {
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify(PERSON));
  const { root, picture } = await openPage('/dashboard');
  const skip = picture?.querySelector<HTMLElement>('a[href="#page"]');
  skip?.focus();
  expect(document.activeElement).toBe(skip);
  root.innerHTML = '<a href="/x">X</a><a href="#page">Pular</a><main></main>';
  await waitFor(() => expect(picture?.isConnected).toBe(false));
  expect(document.activeElement?.textContent).toBe('Pular');
});

test('a button pressed in the picture is pressed on the screen, once, however often it was', async () => {
  const { root, picture } = await openPage('/login');
  const icon = picture?.querySelector<HTMLElement>('button[aria-label="Mostrar senha"] svg');
  for (let time = 0; time < 2; time += 1) icon?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const heard = vi.fn();
  root.addEventListener('click', ({ target }) => heard((target as Element).getAttribute('aria-label')));
  root.innerHTML =
    '<main><button type="button" aria-label="Outro"></button><button type="button" aria-label="Mostrar senha"></button></main>';
  await waitFor(() => expect(heard.mock.calls).toEqual([['Mostrar senha']]));
});

test('the way past the sidebar, gone in the picture, is gone on the screen', async () => {
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify(PERSON));
  const { root, picture } = await openPage('/dashboard');
  const press = new MouseEvent('click', { bubbles: true, cancelable: true });
  picture?.querySelector('a[href="#page"]')?.dispatchEvent(press);
  expect(press.defaultPrevented).toBe(true);
  const heard = vi.fn((event: Event) => event.preventDefault());
  root.innerHTML = '<a href="#page">Pular</a><main id="page"></main>';
  root.querySelector('a')?.addEventListener('click', heard);
  await waitFor(() => expect(heard).toHaveBeenCalledOnce());
});

test('a press is not taken apart: the picture waits for its end, and not for one that never comes', async () => {
  for (const [begin, end] of [
    ['pointerdown', 'pointerup'],
    ['pointerdown', 'pointercancel'],
    ['keydown', 'keyup'],
    ['pointerdown', null],
  ] as const) {
    const { root, picture } = await openPage('/login');
    const press = (type: string) =>
      picture?.querySelector('button')?.dispatchEvent(new Event(type, { bubbles: true }));
    press(begin);
    root.innerHTML = FORM;
    const shown = vi.fn((event: Event) => event.preventDefault());
    root.querySelector('form')?.addEventListener('submit', shown);
    await new Promise((resolve) => setTimeout(resolve, 150));
    // Meanwhile only the picture is there for anybody.
    expect([picture?.isConnected, root.inert, root.ariaHidden]).toEqual([true, true, 'true']);
    if (end !== null) {
      press(end);
      // The click of a finger comes a moment later.
      await new Promise((resolve) => setTimeout(resolve));
      picture?.querySelector('form')?.requestSubmit();
    }
    await waitFor(() => expect(picture?.isConnected).toBe(false), { timeout: 2_000 });
    expect([root.inert, root.ariaHidden]).toEqual([false, null]);
    expect(shown).toHaveBeenCalledTimes(end === null ? 0 : 1);
  }
});

test('what was not sent is not sent', async () => {
  const { root, picture } = await openPage('/login');
  const sent = vi.fn();
  root.addEventListener('submit', sent);
  root.innerHTML = FORM;
  await waitFor(() => expect(picture?.isConnected).toBe(false));
  expect(sent).not.toHaveBeenCalled();
});

test('a button without a mark of its own is known by what it says', async () => {
  const { root, picture } = await openPage('/login');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Adicionar Link';
  picture?.append(button);
  button.click();
  const heard = vi.fn();
  root.addEventListener('click', ({ target }) => heard((target as Element).textContent));
  root.innerHTML =
    '<main><button type="button">Selecionar</button><button type="button">Adicionar Link</button></main>';
  await waitFor(() => expect(heard.mock.calls).toEqual([['Adicionar Link']]));
});

describe('a category', () => {
  const ID = '11111111-2222-4333-8444-555555555555';
  const HOSTILE = '<img src=x onerror=alert(1)>';
  const KNOWN = {
    name: 'Redes <b>',
    description: null as string | null,
    is_public: false,
    folders: { name: 'Estudos' },
    category_counts: { link_count: 2 },
    manual_order: null as object | null,
    shared_with: [] as object[],
    links: [
      {
        title: HOSTILE,
        url: 'https://www.exemplo.com.br/a',
        description: null,
        created_at: '2026-03-04T12:00:00Z',
      },
      { title: 'Cabo', url: 'https://cabo.org/', description: HOSTILE, created_at: '2026-03-03T12:00:00Z' },
    ],
  };
  let asked: { readonly url: URL; readonly headers: Headers }[];
  const signIn = (seconds = 3_600) =>
    localStorage.setItem(
      'sb-localhost-auth-token',
      JSON.stringify({
        ...PERSON,
        access_token: 'token',
        expires_at: Math.round(Date.now() / 1000) + seconds,
      }),
    );
  function answer(rows: unknown, status = 200): void {
    asked = [];
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      const url = new URL(input, 'https://linkoteca.test');
      asked.push({ url, headers: new Headers(init?.headers) });
      return url.pathname === '/config.json'
        ? Response.json({ supabaseUrl: 'https://servico.test', supabaseAnonKey: 'anon' })
        : Response.json(rows, { status });
    });
  }
  const open = () => openPage(`/category/${ID}`);
  const filled = (picture: HTMLElement | null) => waitFor(() => expect(picture?.dataset['filled']).toBe(''));
  /** Whatever was to come has come by then. */
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  test('shows its first links before the app is here, as text', async () => {
    signIn();
    answer([KNOWN]);
    const { picture } = await open();
    await filled(picture);
    expect(picture?.querySelector('h1')?.textContent).toBe('Redes <b>');
    expect(picture?.querySelector('nav')?.textContent).toBe('EstudosRedes <b>');
    expect(picture?.textContent).toContain('2 links');
    const cards = [...(picture?.querySelectorAll('[data-links] li') ?? [])];
    expect(cards.map((card) => card.querySelector('a')?.textContent)).toEqual([HOSTILE, 'Cabo']);
    expect(cards[0]?.querySelector('a')?.getAttribute('href')).toBe('https://www.exemplo.com.br/a');
    expect(cards[0]?.textContent).toContain('exemplo.com.br04/03/2026');
    expect(cards.map((card) => card.querySelector('p[dir]')?.textContent)).toEqual([undefined, HOSTILE]);
    expect(picture?.querySelector('img')).toBeNull();
    const [, request] = asked;
    expect(request?.url.origin + (request?.url.pathname ?? '')).toBe(
      'https://servico.test/rest/v1/categories',
    );
    expect(request?.url.searchParams.get('id')).toBe(`eq.${ID}`);
    expect(request?.url.searchParams.get('user_id')).toBe('eq.1');
    expect(request?.headers.get('authorization')).toBe('Bearer token');
    expect(request?.headers.get('apikey')).toBe('anon');
  });

  test('holds up the start of the app until its links stand there, and other pages do not', async () => {
    signIn();
    answer([KNOWN]);
    await openPage('/dashboard');
    expect(held()).toBeUndefined();
    const { picture } = await open();
    await held();
    expect(picture?.dataset['filled']).toBe('');
  });

  test('holds it up for a quarter of a second at most', async () => {
    signIn();
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    vi.useFakeTimers();
    try {
      await open();
      const started = vi.fn();
      void held()?.then(started);
      await vi.advanceTimersByTimeAsync(249);
      expect(started).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(started).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  test('gives the app the settings that it has read, once', async () => {
    signIn();
    answer([KNOWN]);
    await filled((await open()).picture);
    expect(await (await takeConfig())?.json()).toMatchObject({ supabaseAnonKey: 'anon' });
    expect(takeConfig()).toBeUndefined();
  });

  test('stays until the app has the links, too, and nothing is there twice for anybody', async () => {
    signIn();
    answer([KNOWN]);
    const { root, picture } = await open();
    await filled(picture);
    root.innerHTML = '<main><h1>Redes</h1><div aria-busy="true"></div></main>';
    await settled();
    expect([picture?.isConnected, root.inert, root.ariaHidden]).toEqual([true, true, 'true']);
    root.innerHTML = '<main><h1>Redes</h1><ul></ul></main>';
    await waitFor(() => expect(picture?.isConnected).toBe(false));
    expect([root.inert, root.ariaHidden]).toEqual([false, null]);
  });

  test('goes after ten seconds at the latest: what never comes keeps nobody from the screen', async () => {
    signIn();
    answer([KNOWN]);
    const { root, picture } = await open();
    await filled(picture);
    vi.useFakeTimers();
    root.innerHTML = '<main><h1>Redes</h1><div aria-busy="true"></div></main>';
    await vi.advanceTimersByTimeAsync(9_999);
    expect([picture?.isConnected, root.inert]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(1);
    expect([picture?.isConnected, root.inert, root.ariaHidden]).toEqual([false, false, null]);
  });

  test('scrolled meanwhile stands there on the screen, too', async () => {
    signIn();
    answer([KNOWN]);
    const { root, picture } = await open();
    await filled(picture);
    const scroller = picture?.querySelector('[data-scroller]');
    expect(scroller?.querySelector('h1')?.textContent).toBe(KNOWN.name);
    if (scroller) scroller.scrollTop = 120;
    root.innerHTML = '<main><h1>Redes</h1><ul></ul></main>';
    await waitFor(() => expect(picture?.isConnected).toBe(false));
    expect(root.querySelector('main')?.scrollTop).toBe(120);
  });

  test.each<[string, () => void]>([
    ['somebody else’s', () => answer([])],
    ['without links', () => answer([{ ...KNOWN, links: [] }])],
    ['that everybody sees', () => answer([{ ...KNOWN, is_public: true }])],
    ['that some see', () => answer([{ ...KNOWN, shared_with: [{}] }])],
    ['in an order of its own', () => answer([{ ...KNOWN, manual_order: {} }])],
    ['that is refused', () => answer({ message: 'JWT expired' }, 401)],
    ['that nobody answers for', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no')))],
  ])('%s keeps its shape', async (_which, prepare) => {
    signIn();
    prepare();
    const { root, picture } = await open();
    await settled();
    expect(picture?.querySelector('h1')?.textContent).toBe('Categoria');
    expect(picture?.dataset['filled']).toBeUndefined();
    root.innerHTML = '<main><div aria-busy="true"></div></main>';
    await waitFor(() => expect(picture?.isConnected).toBe(false));
  });

  test.each<[string, () => void]>([
    ['whose sign-in is over', () => signIn(-1)],
    ['who looks at lists', () => localStorage.setItem('linkoteca-link-view', 'list')],
    ['who looks in another order', () => localStorage.setItem('linkoteca-link-order', 'title')],
  ])('is not asked for by somebody %s', async (_who, prepare) => {
    signIn();
    answer([KNOWN]);
    prepare();
    const { picture } = await open();
    await settled();
    expect(picture?.dataset['filled']).toBeUndefined();
    expect(asked.map(({ url }) => url.pathname)).not.toContain('/rest/v1/categories');
  });
});
