import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeSession } from '../../../shared/test/create-fake-auth.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { folderListKey, type ListedFolder } from '../model/folder-rows.ts';
import { FolderDialog } from './folder-dialog.tsx';

const userId = fakeSession().user.id;
const draftKey = `linkoteca-draft-folder-${userId}`;
const viagens: ListedFolder = {
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Viagens',
  user_id: userId,
  created_at: '2025-05-11T12:00:00Z',
  updated_at: '2025-05-11T12:00:00Z',
  folder_looks: null,
};

async function setUp(
  respond: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  folder: ListedFolder | null = null,
) {
  const onClose = vi.fn();
  const counted = { undo: vi.fn(), settle: vi.fn() };
  const requests: FakeRequest[] = [];
  const view = await renderWithProviders(
    <FolderDialog
      open
      folder={folder}
      folders={[{ id: 'outra', name: 'Receitas' }]}
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
    view.queryClient.getQueryData<readonly ListedFolder[]>(folderListKey(userId))?.map((each) => each.name);
  const looks = () =>
    view.queryClient
      .getQueryData<readonly ListedFolder[]>(folderListKey(userId))
      ?.map((each) => each.folder_looks);
  return { ...view, user: userEvent.setup(), onClose, counted, requests, names, looks };
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

const REFUSED: FakeAnswer = {
  status: 500,
  body: { code: 'XX000', message: 'segredo interno', details: null, hint: null },
};
const color = (name: string) => screen.findByRole<HTMLInputElement>('radio', { name });
const emoji = () => screen.findByLabelText<HTMLInputElement>('Emoji');
const looked = (folder_looks: ListedFolder['folder_looks']): ListedFolder => ({ ...viagens, folder_looks });

test('a colour and an emoji are shown before the server has answered, and no name is written that is as it was', async () => {
  let answer: (value: FakeAnswer) => void = () => undefined;
  const { user, looks, onClose, requests } = await setUp(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    viagens,
  );
  expect((await color('Automática')).checked).toBe(true);
  await user.click(await color('Azul'));
  await user.click(screen.getByRole('button', { name: 'Viagem ✈️' }));
  await user.click(save());
  await waitFor(() => expect(looks()).toEqual([{ color: 'blue', emoji: '✈️' }]));
  expect(onClose).not.toHaveBeenCalled();
  answer({ status: 201, body: null });
  expect(await screen.findByText('Pasta atualizada com sucesso')).toBeTruthy();
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST folder_looks']);
  expect(requests[0]?.body).toEqual({
    folder_id: viagens.id,
    user_id: userId,
    color: 'blue',
    emoji: '✈️',
  });
});

test('what was chosen is taken back: the colour by ‘Automática’, the emoji by a second press', async () => {
  const { user, looks, onClose } = await setUp(
    () => ({ status: 201, body: null }),
    looked({ color: 'pink', emoji: '📚' }),
  );
  expect((await color('Rosa')).checked).toBe(true);
  const books = screen.getByRole('button', { name: 'Livros 📚' });
  expect(books.getAttribute('aria-pressed')).toBe('true');
  await user.click(books);
  expect((await emoji()).value).toBe('');
  await user.click(await color('Automática'));
  await user.click(save());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(looks()).toEqual([{ color: null, emoji: null }]);
});

test('a typed emoji takes the place of the one before; a letter is none, and says so', async () => {
  const { user, requests } = await setUp(() => ({ body: [] }), looked({ color: null, emoji: '📚' }));
  // An emoji comes whole, however many characters it has.
  await user.click(await emoji());
  await user.paste('🇧🇷');
  expect((await emoji()).value).toBe('🇧🇷');
  await user.clear(await emoji());
  await user.type(await emoji(), 'a');
  expect((await emoji()).value).toBe('');
  expect(screen.getByRole('alert').textContent).toBe('Aqui cabe um emoji, como 📚');
  await user.paste('🍳');
  expect((await emoji()).value).toBe('🍳');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(requests).toEqual([]);
});

test('a look that is refused is as it was again, and the dialog keeps what was chosen', async () => {
  const { user, looks, onClose } = await setUp(() => REFUSED, viagens);
  await user.click(await color('Verde'));
  await user.click(save());
  expect(await screen.findByText('Não foi possível salvar a cor e o emoji')).toBeTruthy();
  expect(screen.queryByText(/segredo interno/)).toBeNull();
  expect(looks()).toEqual([null]);
  expect((await color('Verde')).checked).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
});

test('a new folder gets its look once it is there; where that is refused, the folder stays', async () => {
  const { user, names, onClose, requests } = await setUp((request) =>
    request.path === 'folder_looks' ? REFUSED : stored(request),
  );
  await user.type(await field(), 'Estudos');
  await user.click(screen.getByRole('button', { name: 'Estudos 🎓' }));
  await user.click(save());
  expect(await screen.findByText('Não foi possível salvar a cor e o emoji')).toBeTruthy();
  expect(screen.getByText('A pasta foi criada. Edite a pasta para escolher de novo.')).toBeTruthy();
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(names()).toEqual(['Estudos', 'Viagens']);
  const [folder, look] = requests.map(({ body }) => body as Record<string, unknown>);
  expect(look).toEqual({ folder_id: folder?.['id'], user_id: userId, color: null, emoji: '🎓' });
});
