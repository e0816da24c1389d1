import { AuthRetryableFetchError } from '@supabase/auth-js';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionContext } from '../../../../shared/lib/connection/connection-context.tsx';
import type { OpenedPicture } from '../../../../shared/lib/pictures/read-picture-file.ts';
import { readPerson } from '../../../../shared/lib/session/read-person.ts';
import { authFailure, createFakeAuth, fakeSession } from '../../../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../../../shared/test/create-fake-connection.ts';
import { renderWithProviders } from '../../../../shared/test/render-with-providers.tsx';
import { startCrop } from '../../model/picture/crop.ts';
import { PictureDialog } from './picture-dialog.tsx';
import { PictureField } from './picture-field.tsx';

const OLD = 'avatar/33333333-3333-4333-8333-333333333333.webp';
const GOOGLE = 'https://fotos.exemplo/ana.png';
const HOUR = 3_600_000;

/** What the storage service was asked, and what lies in the person's folder. */
let asked: { readonly line: string; readonly body: unknown }[];
let kept: { name: string; created_at: string }[];
let refusal: Response | null;

beforeEach(() => {
  asked = [];
  refusal = null;
  kept = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const path = new URL(input).pathname.replace('/storage/v1/object', '');
    const { body } = init;
    asked.push({
      line: `${init.method ?? 'GET'} ${path}`,
      body: typeof body === 'string' ? JSON.parse(body) : body,
    });
    if (init.method === 'POST' && path.startsWith('/arquivos/') && refusal) return refusal;
    if (init.method === 'POST' && path.startsWith('/arquivos/'))
      kept.push({ name: path.split('/').at(-1) ?? '', created_at: new Date().toISOString() });
    if (path.startsWith('/list/')) return Response.json(kept);
    if (init.method === undefined)
      return new Response('antiga', { headers: { 'content-type': 'image/webp' } });
    return Response.json({});
  });
});

const personOf = (metadata: Record<string, unknown>) =>
  readPerson(fakeSession({ name: 'Ana de Souza', ...metadata }).user);
const opened: OpenedPicture = {
  image: Object.assign(new Image(), { src: 'data:,x' }),
  width: 400,
  height: 200,
  close: vi.fn(),
};

/** Renders with a router, for the way to the plans. */
async function show(element: ReactNode, connection = createFakeConnection()) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory(),
  });
  const auth = createFakeAuth(fakeSession());
  const view = await renderWithProviders(
    <ConnectionContext value={connection}>
      <RouterProvider router={router as never} />
    </ConnectionContext>,
    { auth },
  );
  return { ...view, auth, user: userEvent.setup() };
}

describe('the picture in the profile', () => {
  test('one’s own goes before the provider’s, is read from one’s own folder, and can be removed with its bytes', async () => {
    const person = personOf({ avatar_url: GOOGLE, avatar_path: OLD });
    kept = [{ name: OLD.replace('avatar/', ''), created_at: new Date().toISOString() }];
    const { user, auth, container } = await show(<PictureField person={person} />);
    await waitFor(() => expect(container.querySelector('img')?.src).toMatch(/^data:image\/webp/));
    expect(asked.map(({ line }) => line)).toEqual([`GET /authenticated/arquivos/${person.id}/${OLD}`]);
    await user.click(screen.getByRole('button', { name: 'Remover foto' }));
    expect(await screen.findByText('Foto removida')).toBeTruthy();
    expect(auth.updateUser).toHaveBeenCalledExactlyOnceWith({ data: { avatar_path: null } });
    expect(asked.at(-1)).toEqual({
      line: 'DELETE /arquivos',
      body: { prefixes: [`${person.id}/${OLD}`] },
    });
  });

  test('without one it is the provider’s, which nobody removes here', async () => {
    const { container } = await show(<PictureField person={personOf({ avatar_url: GOOGLE })} />);
    expect(await screen.findByRole('button', { name: 'Trocar foto' })).toBeTruthy();
    expect(container.querySelector('img')?.src).toBe(GOOGLE);
    expect(screen.queryByRole('button', { name: 'Remover foto' })).toBeNull();
    expect(asked).toEqual([]);
  });

  test.each([
    '../22222222-2222-4222-8222-222222222222/avatar/a.webp',
    '/avatar/33333333-3333-4333-8333-333333333333.webp',
    'avatar/../33333333-3333-4333-8333-333333333333.webp',
    'javascript:alert(1)',
  ])('metadata that says %s lead nowhere', async (avatar_path) => {
    await show(<PictureField person={personOf({ avatar_path })} />);
    expect(await screen.findByRole('button', { name: 'Adicionar foto' })).toBeTruthy();
    expect(asked).toEqual([]);
  });

  test('a drawing is refused in words, dropped or pasted as well', async () => {
    const { container } = await show(<PictureField person={personOf({})} />);
    await screen.findByRole('button', { name: 'Adicionar foto' });
    const svg = new File(['<svg/>'], 'a.png', { type: 'image/png' });
    const said = 'SVG é um desenho, não uma foto. Salve como PNG ou JPEG e tente de novo.';
    const input = container.querySelector('input[type=file]') as HTMLInputElement;
    fireEvent.change(input, { target: { files: [svg] } });
    expect((await screen.findByRole('alert')).textContent).toBe(said);
    fireEvent.drop(screen.getByText('ana@exemplo.com'), {
      dataTransfer: { types: ['Files'], files: [new File(['texto'], 'a.png')] },
    });
    expect(await screen.findByText(/não é uma foto que a gente consiga abrir/)).toBeTruthy();
    fireEvent.paste(document.body, { clipboardData: { files: [svg], getData: () => '' } });
    expect(await screen.findByText(said)).toBeTruthy();
  });

  test('what is pasted while another panel is on the screen is not taken', async () => {
    const read = vi.fn(async () => ({ kind: 'opened', picture: opened }) as const);
    await show(
      <div hidden>
        <PictureField person={personOf({})} read={read} />
      </div>,
    );
    await screen.findByRole('button', { name: 'Adicionar foto', hidden: true });
    const files = [new File(['x'], 'a.png', { type: 'image/png' })];
    fireEvent.paste(document.body, { clipboardData: { files, getData: () => '' } });
    expect(read).not.toHaveBeenCalled();
  });

  test('a picture that can be opened is adjusted first', async () => {
    const read = async () => ({ kind: 'opened', picture: opened }) as const;
    const { container } = await show(<PictureField person={personOf({})} read={read} />);
    await screen.findByRole('button', { name: 'Adicionar foto' });
    fireEvent.change(container.querySelector('input[type=file]') as HTMLInputElement, {
      target: { files: [new File(['x'], 'a.png')] },
    });
    expect(await screen.findByRole('dialog', { name: 'Ajustar foto' })).toBeTruthy();
    expect(asked).toEqual([]);
  });

  test('offline nothing can be changed, and that is said', async () => {
    const connection = createFakeConnection();
    connection.set(false);
    await show(<PictureField person={personOf({})} />, connection);
    expect(await screen.findByText('Você está sem conexão. Conecte-se para mudar a foto.')).toBeTruthy();
    expect((screen.getByRole('button', { name: 'Adicionar foto' }) as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('adjusting a picture', () => {
  const draw = vi.fn(async (..._of: unknown[]) => new Blob(['nova'], { type: 'image/webp' }));
  beforeEach(() => draw.mockClear());

  async function adjust(metadata: Record<string, unknown> = { avatar_path: OLD }) {
    const onClose = vi.fn();
    const view = await show(
      <PictureDialog open picture={opened} person={personOf(metadata)} onClose={onClose} draw={draw} />,
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Ajustar foto' }));
    return {
      ...view,
      onClose,
      dialog,
      save: () => view.user.click(dialog.getByRole('button', { name: 'Salvar' })),
    };
  }

  test('keeps it in the person’s own folder, then in the account, then removes the one before and what was left over', async () => {
    kept = [
      { name: OLD.replace('avatar/', ''), created_at: new Date().toISOString() },
      { name: 'esquecida.webp', created_at: new Date(Date.now() - 2 * HOUR).toISOString() },
      { name: 'de-outra-aba.webp', created_at: new Date().toISOString() },
    ];
    const { auth, save, onClose } = await adjust();
    await save();
    expect(await screen.findByText('Foto atualizada')).toBeTruthy();
    expect(onClose).toHaveBeenCalledOnce();
    const { id } = personOf({});
    const [upload, , removal] = asked;
    expect(upload?.line).toMatch(new RegExp(`^POST /arquivos/${id}/avatar/[0-9a-f-]{36}\\.webp$`));
    expect(upload?.body).toBeInstanceOf(Blob);
    const path = upload?.line.replace(`POST /arquivos/${id}/`, '');
    expect(auth.updateUser).toHaveBeenCalledExactlyOnceWith({ data: { avatar_path: path } });
    expect(removal).toEqual({
      line: 'DELETE /arquivos',
      body: { prefixes: [`${id}/${OLD}`, `${id}/avatar/esquecida.webp`] },
    });
  });

  test('goes by keyboard: arrows move, + and − zoom, and the edges hold', async () => {
    const { dialog, save, user } = await adjust();
    dialog.getByRole('application', { name: 'Recorte da foto' }).focus();
    await user.keyboard('+++{ArrowRight}{ArrowDown}');
    await save();
    const start = startCrop(opened);
    const crop = draw.mock.calls[0]?.[1] as { x: number; y: number; zoom: number };
    expect(crop.zoom).toBeCloseTo(1.3);
    expect(crop.x).toBeGreaterThan(start.x);
    expect(crop.y).toBeGreaterThan(start.y);
  });

  test('full storage is said in place with the way to the plans, and the picture before stays', async () => {
    refusal = Response.json(
      { statusCode: '403', error: 'Unauthorized', message: 'Limite de armazenamento de 100 MB atingido' },
      { status: 400 },
    );
    const { auth, dialog, save, onClose } = await adjust();
    await save();
    expect(await dialog.findByText('Seu espaço de 100 MB está cheio. O recorte continua aqui.')).toBeTruthy();
    expect(dialog.getByRole('link', { name: 'Ver planos' }).getAttribute('href')).toBe('/plans');
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(auth.updateUser).not.toHaveBeenCalled();
    expect(asked).toHaveLength(1);
    expect(onClose).not.toHaveBeenCalled();
  });

  test('where the account cannot be written the new bytes go again and the old ones stay', async () => {
    const { auth, save, dialog } = await adjust();
    auth.updateUser.mockResolvedValueOnce({ error: authFailure('unexpected_failure', 'x', 500) });
    kept = [{ name: OLD.replace('avatar/', ''), created_at: new Date(0).toISOString() }];
    await save();
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'Não conseguimos salvar a foto. O recorte continua aqui; tente de novo.',
    );
    const uploaded = asked[0]?.line.replace('POST /arquivos/', '');
    expect(asked.at(-1)).toEqual({ line: 'DELETE /arquivos', body: { prefixes: [uploaded] } });
  });

  test('where the answer of the account is lost, it may name the new picture already: its bytes stay', async () => {
    const { auth, save, dialog, onClose } = await adjust();
    auth.updateUser.mockResolvedValueOnce({ error: new AuthRetryableFetchError('Failed to fetch', 0) });
    await save();
    expect(await dialog.findByRole('alert')).toBeTruthy();
    expect(asked.map(({ line }) => line)).toEqual([expect.stringMatching(/^POST \/arquivos\//)]);
    expect(onClose).not.toHaveBeenCalled();
  });
});
