import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { formDraft } from '../../../../shared/lib/forms/form-draft.ts';
import { fakeSession } from '../../../../shared/test/create-fake-auth.ts';
import { sampleLink } from '../../../../shared/test/sample-rows.ts';
import {
  CATEGORY,
  fillLink,
  pickCategory,
  renderLinkDialog as setUp,
  storedLink as stored,
} from '../../test/render-link-dialog.tsx';

const DRAFT = `link-${fakeSession().user.id}-${CATEGORY}`;

test('what people paste becomes an address, and the link starts in the category on the screen', async () => {
  const { user, requests, onClose, titles } = await setUp(stored);
  await fillLink(user, ' exemplo.com.br/ação ', 'Ação');
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
  expect(requests[0]?.body).toMatchObject({
    url: 'https://exemplo.com.br/ação',
    title: 'Ação',
    description: null,
    category_id: CATEGORY,
    user_id: fakeSession().user.id,
  });
  expect(titles()).toEqual(['Ação']);
  expect(onClose).toHaveBeenCalled();
});

test.each([
  ['javascript:alert(1)', 'Título', 'URL inválida'],
  ['https://exemplo.com', '   ', 'O título é obrigatório'],
  [`https://exemplo.com/${'x'.repeat(490)}`, 'Título', 'A URL deve ter no máximo 500 caracteres'],
])('%# is refused before it is sent', async (url, title, message) => {
  const { user, requests } = await setUp(stored);
  await fillLink(user, url, title);
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(requests).toEqual([]);
});

test('the description is cut at 1200 characters, counted as the database counts them', async () => {
  await setUp(stored);
  const box = (await screen.findByLabelText('Descrição (opcional)')) as HTMLTextAreaElement;
  fireEvent.change(box, { target: { value: '👍'.repeat(3) } });
  expect(await screen.findByText('3/1200 caracteres')).toBeTruthy();
  fireEvent.change(box, { target: { value: '👍'.repeat(1205) } });
  expect(await screen.findByText('1200/1200 caracteres')).toBeTruthy();
  expect(box.value).toBe('👍'.repeat(1200));
});

test('typing can begin at once', async () => {
  await setUp(stored, { onPasteMany: () => undefined });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('URL')));
});

test('categories are grouped by folder, and found by it', async () => {
  const { user } = await setUp(stored);
  await user.click(await screen.findByRole('combobox', { name: 'Categoria' }));
  expect(screen.getAllByRole('group').map((group) => group.textContent)).toEqual([
    'EstudosRedes',
    'ViagensChapada',
  ]);
  await user.keyboard('viag');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Chapada',
    'Criar "viag"em Estudos',
  ]);
});

test('a full plan stops before anything is sent, and what is typed waits', async () => {
  const { user, requests, onClose, onLimit } = await setUp(stored, { allowance: { used: 20, max: 20 } });
  await fillLink(user, 'https://exemplo.com', 'Mais um');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(onLimit).toHaveBeenCalledExactlyOnceWith(20, DRAFT));
  expect(onClose).not.toHaveBeenCalled();
  expect(requests).toEqual([]);
  expect(formDraft(DRAFT).read({ url: '', title: '' })).toEqual({
    url: 'https://exemplo.com',
    title: 'Mais um',
  });
});

test('a limit the database finds takes the link back, and what is typed waits', async () => {
  const { user, onClose, onLimit, undo, titles } = await setUp(() => ({
    status: 400,
    body: {
      code: 'P0001',
      message: 'Limite de 20 links atingido',
      details: '{"max":20,"plan":"free"}',
      hint: 'plan_limit_links',
    },
  }));
  await fillLink(user, 'https://exemplo.com', 'Mais um');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(onLimit).toHaveBeenCalledExactlyOnceWith(20, DRAFT));
  expect(onClose).not.toHaveBeenCalled();
  expect(formDraft(DRAFT).exists()).toBe(true);
  expect(undo).toHaveBeenCalledTimes(1);
  expect(titles()).toEqual([]);
});

test('an unknown allowance lets the database decide', async () => {
  const { user, onLimit } = await setUp(stored, { allowance: null });
  await fillLink(user, 'https://exemplo.com', 'Um');
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
  expect(onLimit).not.toHaveBeenCalled();
});

test('a failure keeps the dialog and its text, and the link leaves the list', async () => {
  const { user, onClose, titles } = await setUp(() => {
    throw new TypeError('Failed to fetch');
  });
  await fillLink(user, 'https://exemplo.com', 'Um');
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  expect((screen.getByLabelText('Título') as HTMLInputElement).value).toBe('Um');
  expect(titles()).toEqual([]);
});

test('a link whose answer was lost counts as saved when it is sent again', async () => {
  const message = 'duplicate key value violates unique constraint "links_pkey"';
  let isFirst = true;
  const { user, requests, onClose, titles } = await setUp(() => {
    if (!isFirst) return { status: 409, body: { code: '23505', message } };
    isFirst = false;
    throw new TypeError('Failed to fetch');
  });
  await fillLink(user, 'https://exemplo.com', 'Um');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
  const ids = requests.map(({ body }) => (body as { readonly id: string }).id);
  expect(ids).toEqual([expect.any(String), ids[0]]);
  expect(titles()).toEqual(['Um']);
  expect(onClose).toHaveBeenCalled();
});

test('a link that took the last place of the plan although its answer was lost counts as saved, too', async () => {
  const message = 'duplicate key value violates unique constraint "links_pkey"';
  let used = 19;
  const allowance = {
    max: 20,
    get used() {
      return used;
    },
  };
  const answer = () => {
    if (used === 20) return { status: 409, body: { code: '23505', message } };
    used = 20;
    throw new TypeError('Failed to fetch');
  };
  const { user, onLimit } = await setUp(answer, { allowance });
  await fillLink(user, 'https://exemplo.com', 'Um');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
  expect(onLimit).not.toHaveBeenCalled();
});

test('what changed since an answer was lost is what is saved', async () => {
  const rows = new Map<string, object>();
  const { user, requests, titles } = await setUp((request) => {
    const { id } = request.body as { readonly id?: string };
    if (request.method === 'PATCH') {
      const known = request.query.get('id')?.replace('eq.', '') ?? '';
      rows.set(known, { ...rows.get(known), ...(request.body as object) });
      return { body: rows.get(known) };
    }
    if (id === undefined || rows.has(id)) {
      const message = 'duplicate key value violates unique constraint "links_pkey"';
      return { status: 409, body: { code: '23505', message } };
    }
    rows.set(id, stored(request).body as object);
    throw new TypeError('Failed to fetch');
  });
  await fillLink(user, 'https://exemplo.com', 'Um');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
  await user.type(screen.getByLabelText('Título'), ' e meio');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
  expect([...rows.values()]).toMatchObject([{ url: 'https://exemplo.com', title: 'Um e meio' }]);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH']);
  expect(titles()).toEqual(['Um e meio']);
});

test('a pasted address opens filled in, and asks before it is thrown away', async () => {
  const { user, onClose } = await setUp(stored, { start: { url: 'https://colado.com.br' } });
  expect(((await screen.findByLabelText('URL')) as HTMLInputElement).value).toBe('https://colado.com.br');
  await user.keyboard('{Escape}');
  expect(await screen.findByText('Descartar o que você digitou?')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

test('editing is not stopped by a full plan', async () => {
  const link = sampleLink({ category_id: CATEGORY });
  const { user, requests, onLimit } = await setUp(
    ({ body }) => ({ body: { ...link, ...(body as object) } }),
    {
      link,
      allowance: { used: 30, max: 20 },
    },
  );
  await user.type(await screen.findByLabelText('Título'), ' e bom{Enter}');
  expect(await screen.findByText('Link atualizado com sucesso')).toBeTruthy();
  expect(requests[0]).toMatchObject({ method: 'PATCH', body: { title: 'Velho e bom' } });
  expect(onLimit).not.toHaveBeenCalled();
});

test('where there is no room for a category that is typed, the way to the plans keeps the link', async () => {
  const onSeePlans = vi.fn();
  const { user, createPlace } = await setUp(stored, { onSeePlans });
  createPlace.mockResolvedValue({ kind: 'limit', max: 5 });
  await fillLink(user, 'https://exemplo.com', 'Um');
  await pickCategory(user, 'Fibras');
  expect(await screen.findByText('Limite de 5 categorias atingido. O Plus leva 20.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Ver planos' }));
  expect(onSeePlans).toHaveBeenCalledExactlyOnceWith(DRAFT);
  expect(formDraft(DRAFT).read({ title: '' })).toEqual({ title: 'Um' });
});
