import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Folder } from '../../../shared/lib/rows.ts';
import { fakeSession } from '../../../shared/test/create-fake-auth.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { folderListKey } from '../model/folder-rows.ts';
import { FolderDialog } from './folder-dialog.tsx';

const userId = fakeSession().user.id;
const draftKey = `linkoteca-draft-folder-${userId}`;
const viagens: Folder = {
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Viagens',
  user_id: userId,
  created_at: '2025-05-11T12:00:00Z',
  updated_at: '2025-05-11T12:00:00Z',
};

async function setUp(
  respond: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  folder: Folder | null = null,
) {
  const onClose = vi.fn();
  const counted = { undo: vi.fn(), settle: vi.fn() };
  const requests: FakeRequest[] = [];
  const view = await renderWithProviders(
    <FolderDialog
      open
      folder={folder}
      takenNames={['Receitas']}
      beginCount={async () => counted}
      onClose={onClose}
    />,
    {
      respond: (request) => {
        requests.push(request);
        return respond(request);
      },
    },
  );
  view.queryClient.setQueryData(folderListKey(userId), [viagens]);
  const names = () =>
    view.queryClient.getQueryData<readonly Folder[]>(folderListKey(userId))?.map((each) => each.name);
  return { ...view, user: userEvent.setup(), onClose, counted, requests, names };
}

const field = () => screen.findByLabelText('Nome da Pasta');
const save = () => screen.getByRole('button', { name: /Salvar|Salvando/ });
const stored = ({ body }: FakeRequest): FakeAnswer => ({
  status: 201,
  body: { ...viagens, ...(body as object) },
});

test('a new folder is in the list before the server has answered, and the button says so', async () => {
  let answer: (value: FakeAnswer) => void = () => undefined;
  const { user, names, onClose, requests } = await setUp(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  await user.type(await field(), '  Estudos {Enter}');
  await waitFor(() => expect(names()).toEqual(['Estudos', 'Viagens']));
  expect(save().textContent).toBe('Salvando...');
  await user.click(save());
  await waitFor(() => expect(requests).toHaveLength(1));
  const [request] = requests;
  if (request) answer(stored(request));
  expect(await screen.findByText('Pasta criada com sucesso')).toBeTruthy();
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(requests).toHaveLength(1);
  expect(names()).toEqual(['Estudos', 'Viagens']);
});

test('a refused folder leaves the list again, keeps the text, and trying again uses the same id', async () => {
  let refuse = true;
  const { user, names, onClose, counted, requests } = await setUp((request) =>
    refuse
      ? { status: 500, body: { code: 'XX000', message: 'segredo interno', details: null, hint: null } }
      : stored(request),
  );
  await user.type(await field(), 'Estudos{Enter}');
  expect(await screen.findByText('Não foi possível criar a pasta')).toBeTruthy();
  expect(screen.queryByText(/segredo interno/)).toBeNull();
  expect(names()).toEqual(['Viagens']);
  expect(counted.undo).toHaveBeenCalledTimes(1);
  expect(onClose).not.toHaveBeenCalled();
  expect((await field()).getAttribute('value') ?? ((await field()) as HTMLInputElement).value).toBe(
    'Estudos',
  );

  refuse = false;
  await user.click(save());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const ids = requests.map((request) => (request.body as { id: string }).id);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('a folder whose answer was lost counts as saved when it is sent again', async () => {
  const { user, names, onClose } = await setUp(() => ({
    status: 409,
    body: {
      code: '23505',
      message: 'duplicate key value violates unique constraint "folders_pkey"',
      details: null,
      hint: null,
    },
  }));
  await user.type(await field(), 'Estudos{Enter}');
  expect(await screen.findByText('Pasta criada com sucesso')).toBeTruthy();
  expect(onClose).toHaveBeenCalled();
  expect(names()).toEqual(['Estudos', 'Viagens']);
});

test('a name that is taken is refused at once, or by the database', async () => {
  const { user, names, requests, onClose } = await setUp(() => ({
    status: 409,
    body: {
      code: '23505',
      message: 'duplicate key value violates unique constraint "folders_name_unique_per_user"',
      details: null,
      hint: null,
    },
  }));
  await user.type(await field(), 'Receitas{Enter}');
  expect(await screen.findByText('Já existe uma pasta com este nome')).toBeTruthy();
  expect(requests).toEqual([]);
  await user.clear(await field());
  await user.type(await field(), 'Outra{Enter}');
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(await screen.findByText('Já existe uma pasta com este nome')).toBeTruthy();
  expect(names()).toEqual(['Viagens']);
  expect(onClose).not.toHaveBeenCalled();
});

test('an empty or too long name never reaches the server', async () => {
  const { user, requests } = await setUp(() => ({ body: [] }));
  await user.click(await screen.findByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('O nome da pasta é obrigatório')).toBeTruthy();
  await user.click(await field());
  await user.paste('x'.repeat(51));
  expect(await screen.findByText('O nome da pasta deve ter no máximo 50 caracteres')).toBeTruthy();
  expect(requests).toEqual([]);
});

test('what is being typed survives a reload, and closing without saving forgets it', async () => {
  const first = await setUp(() => ({ body: [] }));
  await first.user.type(await field(), 'Pela metade');
  expect(localStorage.getItem(draftKey)).toContain('Pela metade');
  first.unmount();

  const second = await setUp(() => ({ body: [] }));
  expect(((await field()) as HTMLInputElement).value).toBe('Pela metade');
  await second.user.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(second.onClose).toHaveBeenCalled();
  expect(localStorage.getItem(draftKey)).toBeNull();
});

test('Esc asks before it throws typed text away', async () => {
  const { user, onClose } = await setUp(() => ({ body: [] }));
  await user.type(await field(), 'Texto{Escape}');
  expect(await screen.findByText('Descartar o que você digitou?')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Descartar' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('editing starts from the stored name, keeps no draft, and rolls back when refused', async () => {
  const { user, names } = await setUp(
    () => ({ status: 406, body: { code: 'PGRST116', message: 'none', details: null, hint: null } }),
    viagens,
  );
  expect(await screen.findByText('Editar Pasta')).toBeTruthy();
  await user.type(await field(), ' 2026');
  expect(localStorage.getItem(draftKey)).toBeNull();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Não foi possível atualizar a pasta')).toBeTruthy();
  expect(screen.getByText('Não foram encontrados resultados para esta consulta.')).toBeTruthy();
  expect(names()).toEqual(['Viagens']);
});
