import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';
import { keepWaiting, readWaiting } from './limits/waiting-request.ts';

const library = beginWithLibrary();
const ME = fakeSession().user.id;

/** 'Estudos / Redes', full of links. */
function fill() {
  const folder = library.add('folders', { name: 'Estudos' });
  const redes = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  for (let at = 1; at <= 20; at += 1)
    library.add('links', { title: `Nota ${at}`, url: `https://exemplo.com/${at}`, category_id: redes['id'] });
  return `/category/${String(redes['id'])}`;
}

const refuseCategories = (method: string, relation: string) =>
  method === 'POST' && relation === 'categories'
    ? {
        status: 400,
        body: {
          code: 'P0001',
          message: 'Limite de 5 categorias atingido',
          details: '{"max":5,"plan":"free"}',
          hint: 'plan_limit_categories',
        },
      }
    : null;

const value = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;

test('a link that does not fit waits at the plans, which say what the next one holds, and goes on from there', async () => {
  const { user, path } = openSignedIn(fill());
  await screen.findByText('Você atingiu o limite de 20 links.');
  await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
  await user.type(await screen.findByLabelText('URL'), 'https://exemplo.com/mais');
  await user.type(screen.getByLabelText('Título'), 'Mais um');
  await user.type(screen.getByLabelText('Descrição (opcional)'), 'para ler{Control>}{Enter}{/Control}');
  expect(await screen.findByText('Limite de 20 links atingido')).toBeTruthy();
  expect(screen.getByText('Atualize seu plano para adicionar mais links')).toBeTruthy();
  await waitFor(() => expect(path()).toBe('/plans'));
  expect(screen.queryByRole('dialog', { name: 'Adicionar Link' })).toBeNull();
  expect(await screen.findByText('Seu link está guardado. O Plus leva 500.')).toBeTruthy();

  await user.click(await screen.findByRole('button', { name: 'Continuar de onde parou' }));
  expect(await screen.findByRole('dialog', { name: 'Adicionar Link' })).toBeTruthy();
  expect(path()).toMatch(/^\/category\//);
  expect([value('URL'), value('Título'), value('Descrição (opcional)'), value('Categoria')]).toEqual([
    'https://exemplo.com/mais',
    'Mais um',
    'para ler',
    'Estudos / Redes',
  ]);
  expect(library.table('links')).toHaveLength(20);
});

test('and who goes back instead finds the link in its form the next time', async () => {
  const { user, path, history } = openSignedIn(fill());
  await screen.findByText('Você atingiu o limite de 20 links.');
  await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
  await user.type(await screen.findByLabelText('URL'), 'https://exemplo.com/mais');
  await user.type(screen.getByLabelText('Título'), 'Mais um{Enter}');
  await waitFor(() => expect(path()).toBe('/plans'));
  act(() => history.back());
  await waitFor(() => expect(path()).toMatch(/^\/category\//));
  await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
  expect(((await screen.findByLabelText('Título')) as HTMLInputElement).value).toBe('Mais um');
});

test('a category that does not fit waits as well', async () => {
  fill();
  library.control.refuse = refuseCategories;
  const { user, path } = openSignedIn('/dashboard');
  await user.click(await screen.findByRole('button', { name: 'Adicionar categoria em Estudos' }));
  await user.type(await screen.findByLabelText('Nome da Categoria'), 'Demais{Enter}');
  expect(await screen.findByText('Limite de 5 categorias atingido')).toBeTruthy();
  await waitFor(() => expect(path()).toBe('/plans'));
  expect(await screen.findByText('Sua categoria está guardada. O Plus leva 20.')).toBeTruthy();
  expect(screen.queryByRole('treeitem', { name: 'Demais', hidden: true })).toBeNull();
  library.control.refuse = () => null;
  await user.click(await screen.findByRole('button', { name: 'Continuar de onde parou' }));
  const form = within(await screen.findByRole('dialog', { name: 'Nova Categoria' }));
  expect((form.getByLabelText('Nome da Categoria') as HTMLInputElement).value).toBe('Demais');
  await user.click(form.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Categoria criada com sucesso')).toBeTruthy();
  expect(readWaiting(ME)).toBeNull();
});

test('of a list it is said how many do not fit, and the list waits as well', async () => {
  const { user, path } = openSignedIn(fill());
  await screen.findByText('Você atingiu o limite de 20 links.');
  await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
  await user.click(await screen.findByRole('button', { name: 'Colar vários' }));
  await user.click(await screen.findByLabelText('Links, um por linha'));
  await user.paste('https://a.com\nhttps://b.com');
  expect(await screen.findByText('2 não cabem no seu plano (20 links) e ficaram desmarcados.')).toBeTruthy();
  expect(screen.getByText('O Plus leva 500.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Ver planos' }));
  await waitFor(() => expect(path()).toBe('/plans'));
  expect(await screen.findByText('Sua lista está guardada.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Continuar de onde parou' }));
  expect(await screen.findByText('2 links encontrados')).toBeTruthy();
});

test('what waits is one person’s, for a week, and nothing once its text is gone', () => {
  const request = { kind: 'add-link', draftKey: 'rascunho', start: undefined } as const;
  keepWaiting(ME, request, '/dashboard');
  expect(readWaiting(ME)).toBeNull();
  localStorage.setItem('linkoteca-draft-rascunho', '{"url":"https://exemplo.com"}');
  expect(readWaiting(ME)).toMatchObject({ request: { draftKey: 'rascunho' }, path: '/dashboard' });
  expect(readWaiting('outra')).toBeNull();
  const days = 24 * 60 * 60 * 1000;
  expect(readWaiting(ME, Date.now() + 6 * days)).not.toBeNull();
  expect(readWaiting(ME, Date.now() + 8 * days)).toBeNull();
  localStorage.setItem(`linkoteca-waiting-${ME}`, '{"request":{"kind":"other"},"at":1}');
  expect(readWaiting(ME)).toBeNull();
});
