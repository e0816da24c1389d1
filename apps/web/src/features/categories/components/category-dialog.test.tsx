import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Category } from '../../../shared/lib/rows.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { CategoryDialog } from './category-dialog.tsx';

const FOLDER = { id: '22222222-2222-4222-8222-222222222222', name: 'Estudos' };
const redes: Category = {
  id: '33333333-3333-4333-8333-333333333333',
  name: 'Redes',
  description: 'O que liga as máquinas',
  folder_id: FOLDER.id,
  user_id: 'u',
  is_public: false,
  created_at: '2025-05-11T12:00:00Z',
  updated_at: '2025-05-11T12:00:00Z',
};

const stored = ({ body }: FakeRequest): FakeAnswer => ({ body: { ...redes, ...(body as object) } });

async function setUp(
  category: Category | null = null,
  respond: (request: FakeRequest) => FakeAnswer = stored,
) {
  const requests: FakeRequest[] = [];
  const called = { onClose: vi.fn(), onSaved: vi.fn(), onLimit: vi.fn(), onSeePlans: vi.fn() };
  await renderWithProviders(
    <CategoryDialog
      open
      category={category}
      folder={FOLDER}
      allowance={null}
      beginCount={async () => ({ undo: () => undefined, settle: () => undefined })}
      {...called}
    />,
    {
      respond: (request) => {
        requests.push(request);
        return respond(request);
      },
    },
  );
  return { ...called, requests, user: userEvent.setup() };
}

const fieldsOf = (dialog: HTMLElement) =>
  [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map((field) => [
    field.labels?.[0]?.textContent,
    field.value,
    field.readOnly,
  ]);

test("'Nova Categoria' is at most 425 px wide and shows the chosen folder, which cannot be changed", async () => {
  await setUp();
  const dialog = await screen.findByRole('dialog', { name: 'Nova Categoria' });
  // `max-w-dialog` is `--container-dialog` of the design tokens; its pixels are asserted in dialog.test.tsx.
  expect(dialog.className.split(' ')).toContain('md:max-w-dialog');
  expect(fieldsOf(dialog)).toEqual([
    ['Nome da Categoria', '', false],
    ['Descrição (opcional)', '', false],
    ['Pasta', 'Estudos', true],
  ]);
  expect(screen.getByRole('button', { name: 'Cancelar' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Salvar' })).toBeTruthy();
});

test("'Editar Categoria' starts from what is stored; an emptied description is stored as none", async () => {
  const { user, requests, onClose, onSaved } = await setUp(redes);
  const dialog = await screen.findByRole('dialog', { name: 'Editar Categoria' });
  expect(fieldsOf(dialog).map(([, value]) => value)).toEqual(['Redes', 'O que liga as máquinas', 'Estudos']);
  await user.clear(screen.getByLabelText('Descrição (opcional)'));
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Categoria atualizada com sucesso')).toBeTruthy();
  expect(requests.map(({ method, body }) => [method, body])).toEqual([
    ['PATCH', { name: 'Redes', description: null }],
  ]);
  expect(onClose).not.toHaveBeenCalled();
  expect(onSaved).toHaveBeenCalledExactlyOnceWith(redes.id);
});

test('a name of blanks is not sent', async () => {
  const { user, requests, onClose } = await setUp();
  await user.type(await screen.findByLabelText('Nome da Categoria'), '   {Enter}');
  expect(await screen.findByText('O nome da categoria é obrigatório')).toBeTruthy();
  expect(requests).toEqual([]);
  expect(onClose).not.toHaveBeenCalled();
});

test('a category whose answer was lost counts as saved when it is sent again', async () => {
  const message = 'duplicate key value violates unique constraint "categories_pkey"';
  let isFirst = true;
  const { user, requests, onSaved } = await setUp(null, () => {
    if (!isFirst) return { status: 409, body: { code: '23505', message } };
    isFirst = false;
    throw new TypeError('Failed to fetch');
  });
  await user.type(await screen.findByLabelText('Nome da Categoria'), 'Redes');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Não foi possível criar a categoria')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Categoria criada com sucesso')).toBeTruthy();
  const ids = requests.map(({ body }) => (body as { readonly id: string }).id);
  expect(ids).toEqual([expect.any(String), ids[0]]);
  expect(onSaved).toHaveBeenCalledExactlyOnceWith(ids[0]);
});

test('what changed since an answer was lost is what is saved', async () => {
  const rows = new Map<string, object>();
  const { user, onSaved } = await setUp(null, (request) => {
    const { id } = request.body as { readonly id?: string };
    if (request.method === 'PATCH') {
      const known = request.query.get('id')?.replace('eq.', '') ?? '';
      rows.set(known, { ...rows.get(known), ...(request.body as object) });
      return { body: rows.get(known) };
    }
    if (id === undefined || rows.has(id)) {
      const message = 'duplicate key value violates unique constraint "categories_pkey"';
      return { status: 409, body: { code: '23505', message } };
    }
    rows.set(id, stored(request).body as object);
    throw new TypeError('Failed to fetch');
  });
  await user.type(await screen.findByLabelText('Nome da Categoria'), 'Redes');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Não foi possível criar a categoria')).toBeTruthy();
  await user.type(screen.getByLabelText('Descrição (opcional)'), 'De fibra');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Categoria criada com sucesso')).toBeTruthy();
  expect([...rows.values()]).toMatchObject([{ name: 'Redes', description: 'De fibra' }]);
  expect(onSaved).toHaveBeenCalledOnce();
});
