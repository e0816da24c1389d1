import { IDS_PER_CALL } from '@linkoteca/domain/limits';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const BROKEN: Refusal = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};
const EXTRA = 2;
const ALL = (IDS_PER_CALL + EXTRA).toLocaleString('pt-BR');

const library = beginWithLibrary();

/** Opens a category that holds more links than one call takes, all of them selected. */
async function openAllSelected() {
  const folder = library.add('folders', { name: 'Estudos' });
  const [source, target] = ['Redes', 'Sinais'].map((name) =>
    library.add('categories', { name, folder_id: folder['id'] }),
  );
  for (let n = 1; n <= IDS_PER_CALL + EXTRA; n += 1) {
    library.add('links', {
      id: `id-${n}`,
      title: `Nota ${n}`,
      url: `https://exemplo.com/${n}`,
      category_id: source?.['id'],
    });
  }
  const { user } = openSignedIn(`/category/${String(source?.['id'])}`);
  await user.click(await screen.findByRole('button', { name: 'Selecionar' }));
  await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
  return { user, source, target };
}

/** Counts the calls of a function, and refuses all but the first `willing`. */
function countCalls(name: string, willing = Number.POSITIVE_INFINITY) {
  const calls = { count: 0 };
  library.control.refuse = (_method, relation) => {
    if (relation !== `rpc/${name}`) return null;
    calls.count += 1;
    return calls.count > willing ? BROKEN : null;
  };
  return calls;
}

const inCategory = (category: Record<string, unknown> | undefined) =>
  library.table('links').filter((link) => link['category_id'] === category?.['id']).length;
const shown = (count: number) => screen.findByText(`${count.toLocaleString('pt-BR')} links`);

beforeEach(() => localStorage.clear());

describe('more links than one call takes', () => {
  test('are deleted in parts, and all of them come back', async () => {
    const deletions = countCalls('delete_links');
    const { user } = await openAllSelected();
    await user.click(screen.getByRole('button', { name: `Excluir (${ALL})` }));
    const question = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(question).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText(`${ALL} links excluídos com sucesso`)).toBeTruthy();
    expect(deletions.count).toBe(2);
    expect(library.table('links')).toEqual([]);

    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(library.table('links')).toHaveLength(IDS_PER_CALL + EXTRA);
    expect(await shown(IDS_PER_CALL + EXTRA)).toBeTruthy();
  });

  test('of which a part cannot be deleted: that part stays, the rest has its way back', async () => {
    countCalls('delete_links', 1);
    const { user } = await openAllSelected();
    await user.click(screen.getByRole('button', { name: `Excluir (${ALL})` }));
    const question = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(question).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Não foi possível excluir os links selecionados')).toBeTruthy();
    expect(screen.getByText(/^Faltaram 2 links\./)).toBeTruthy();
    expect(await screen.findByText('20.000 links excluídos com sucesso')).toBeTruthy();
    expect(await shown(EXTRA)).toBeTruthy();
    expect(screen.getAllByRole('link', { name: /^Nota/ })).toHaveLength(EXTRA);

    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(library.table('links')).toHaveLength(IDS_PER_CALL + EXTRA);
    expect(await shown(IDS_PER_CALL + EXTRA)).toBeTruthy();
  });

  test('of which a part cannot be moved: that part stays, the rest has its way back', async () => {
    const moves = countCalls('move_links', 1);
    const { user, source, target } = await openAllSelected();
    await user.click(screen.getByRole('button', { name: `Mover (${ALL})` }));
    await user.click(await screen.findByRole('option', { name: 'Sinais' }));
    expect(await screen.findByText('Não foi possível mover os links selecionados')).toBeTruthy();
    expect(screen.getByText('Faltaram 2 links. Tente de novo.')).toBeTruthy();
    expect(await screen.findByText('20.000 links movidos para Sinais')).toBeTruthy();
    expect(moves.count).toBe(2);
    expect(await shown(EXTRA)).toBeTruthy();
    expect([inCategory(source), inCategory(target)]).toEqual([EXTRA, IDS_PER_CALL]);

    library.control.refuse = () => null;
    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('20.000 links de volta em Redes')).toBeTruthy();
    await waitFor(() => expect(inCategory(source)).toBe(IDS_PER_CALL + EXTRA));
    expect(await shown(IDS_PER_CALL + EXTRA)).toBeTruthy();
  });
});

describe('all that is displayed, of a category with more', () => {
  const LOADED = 50;
  const REST = 370;

  /** Opens a category of 420 links, the displayed ones selected; 'Sinais' waits for what moves. */
  async function openDisplayedSelected() {
    library.control.inPages = true;
    // Its end is too far away to be asked for by itself.
    localStorage.setItem('linkoteca-link-view', 'list');
    const folder = library.add('folders', { name: 'Estudos' });
    const [source, target] = ['Redes', 'Sinais'].map((name) =>
      library.add('categories', { name, folder_id: folder['id'] }),
    );
    for (let n = 1; n <= LOADED + REST; n += 1) {
      library.add('links', {
        title: `Nota ${n}`,
        url: `https://exemplo.com/${n}`,
        category_id: source?.['id'],
      });
    }
    // The next page waits, so that a test sees what the screen shows meanwhile.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.stubGlobal('fetch', async (...request: Parameters<typeof library.fetch>) => {
      if (/created_at=lte/.test(String(request[0]))) await held;
      return library.fetch(...request);
    });
    const { user } = openSignedIn(`/category/${String(source?.['id'])}`);
    await user.click(await screen.findByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
    return { user, release, source, target };
  }

  async function expectRest(release: () => void) {
    expect(await shown(REST)).toBeTruthy();
    expect(await screen.findByText('Carregando links...')).toBeTruthy();
    expect(screen.queryByText('Nenhum link encontrado nesta categoria')).toBeNull();
    release();
    expect(await screen.findByRole('link', { name: `Nota ${REST}` })).toBeTruthy();
    expect(screen.queryByText('Carregando links...')).toBeNull();
  }

  test('is deleted: the next page comes, and all of it comes back', async () => {
    const { user, release } = await openDisplayedSelected();
    await user.click(screen.getByRole('button', { name: `Excluir (${LOADED})` }));
    const question = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(question).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('50 links excluídos com sucesso')).toBeTruthy();
    await expectRest(release);

    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(await shown(LOADED + REST)).toBeTruthy();
    expect(await screen.findByRole('link', { name: `Nota ${LOADED + REST}` })).toBeTruthy();
  });

  test('can be made all there is: the rest is read and picked too', async () => {
    const { user, release } = await openDisplayedSelected();
    await user.click(screen.getByRole('button', { name: 'Selecionar todos os 420' }));
    release();
    expect(await screen.findByRole('button', { name: 'Excluir (420)' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Selecionar todos os 420' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Excluir (420)' }));
    const question = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(question).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('420 links excluídos com sucesso')).toBeTruthy();
    expect(library.table('links')).toEqual([]);
  });

  test('is filtered: the rest is read, and only what fits is displayed and picked', async () => {
    const { user, release } = await openDisplayedSelected();
    await user.keyboard('{Escape}f');
    await user.keyboard('41 nota');
    release();
    const fitting = [41, 141, 241, 341, ...Array.from({ length: 10 }, (_, n) => 410 + n)];
    await waitFor(() => expect(screen.getAllByRole('link', { name: /^Nota/ })).toHaveLength(fitting.length));
    await user.click(screen.getByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
    expect(screen.getByRole('button', { name: `Excluir (${fitting.length})` })).toBeTruthy();
  });

  test('is moved: the next page comes, and all of it comes back', async () => {
    const { user, release, source, target } = await openDisplayedSelected();
    await user.click(screen.getByRole('button', { name: `Mover (${LOADED})` }));
    await user.click(await screen.findByRole('option', { name: 'Sinais' }));
    expect(await screen.findByText('50 links movidos para Sinais')).toBeTruthy();
    await expectRest(release);
    expect([inCategory(source), inCategory(target)]).toEqual([REST, LOADED]);

    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('50 links de volta em Redes')).toBeTruthy();
    expect(await shown(LOADED + REST)).toBeTruthy();
    expect(await screen.findByRole('link', { name: `Nota ${LOADED + REST}` })).toBeTruthy();
  });

  test('without the next page: its failure is said, and asked again', async () => {
    const { user } = await openDisplayedSelected();
    vi.stubGlobal('fetch', async (...request: Parameters<typeof library.fetch>) =>
      /created_at=lte/.test(String(request[0]))
        ? new Response(JSON.stringify(BROKEN.body), { status: BROKEN.status })
        : library.fetch(...request),
    );
    await user.click(screen.getByRole('button', { name: `Excluir (${LOADED})` }));
    const question = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(question).getByRole('button', { name: 'Excluir' }));
    const again = await screen.findByRole('button', { name: 'Tentar de novo' });
    expect(screen.queryByText('Nenhum link encontrado nesta categoria')).toBeNull();
    expectConsoleError(/read failed/);
    vi.stubGlobal('fetch', library.fetch);
    await user.click(again);
    expect(await screen.findByRole('link', { name: `Nota ${REST}` })).toBeTruthy();
  });
});
