import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawFirstPictures } from './draw-first-pictures.tsx';

const PERSON = {
  user: { id: '1', email: 'ana@exemplo.com.br', user_metadata: { full_name: 'Ana <b>Lima' } },
};

const drawn = drawFirstPictures();

afterEach(() => {
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
});

/** The app's page as a browser has it when its script has run, and where the app will be drawn. */
async function openPage(path: string) {
  window.history.replaceState(null, '', path);
  document.body.innerHTML = `<div id="root"></div>${await drawn}`;
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

test('a button pressed in the picture is pressed on the screen', async () => {
  const { root, picture } = await openPage('/login');
  picture
    ?.querySelector<HTMLElement>('button[aria-label="Mostrar senha"] svg')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const heard = vi.fn();
  root.addEventListener('click', ({ target }) => heard((target as Element).getAttribute('aria-label')));
  root.innerHTML =
    '<main><button type="button" aria-label="Outro"></button><button type="button" aria-label="Mostrar senha"></button></main>';
  await waitFor(() => expect(heard.mock.calls).toEqual([['Mostrar senha']]));
});

test('what was not sent is not sent', async () => {
  const { root, picture } = await openPage('/login');
  const sent = vi.fn();
  root.addEventListener('submit', sent);
  root.innerHTML = FORM;
  await waitFor(() => expect(picture?.isConnected).toBe(false));
  expect(sent).not.toHaveBeenCalled();
});
