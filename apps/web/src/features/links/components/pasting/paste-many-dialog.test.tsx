import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CATEGORY, OTHER, pickCategory } from '../../test/render-link-dialog.tsx';
import {
  fullPlan,
  layOutPastedList,
  pastedRow as row,
  pastedRows as rows,
  saveButton as save,
  renderPasteMany as setUp,
  pastedTicks as ticked,
} from '../../test/render-paste-many.tsx';

beforeEach(layOutPastedList);

afterEach(() => {
  vi.unstubAllGlobals();
});

test('every line is shown, the good ones are chosen and saved together, the first on top', async () => {
  const { user, requests, onClose, shown, counted } = await setUp(
    'Pão - https://a.com\nhttps://b.com/x\nNada aqui\nhttps://a.com\nmailto:ana@exemplo.com',
  );
  expect(await screen.findByText('3 links encontrados · 1 repetido · 2 linhas sem link')).toBeTruthy();
  expect(ticked()).toEqual(['Pãoa.com', 'b.comb.com/x']);
  expect(rows().getByText('Nenhum endereço nesta linha')).toBeTruthy();
  expect(rows().getByText('Só endereços http e https podem ser salvos')).toBeTruthy();
  expect(rows().getByText('Repetido nesta lista')).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Salvar 2 links' }));
  expect(await screen.findByText('2 links salvos com sucesso')).toBeTruthy();
  expect(onClose).toHaveBeenCalled();
  expect(requests).toHaveLength(1);
  // The last one is written first: the newest link of a category stands on top.
  expect(requests[0]).toMatchObject([
    { url: 'https://b.com/x', title: 'b.com', category_id: CATEGORY },
    { url: 'https://a.com', title: 'Pão', category_id: CATEGORY },
  ]);
  expect(shown()).toEqual(['Pão', 'b.com']);
  expect(counted).toEqual([2]);
});

test('a list on a web page and exported bookmarks are read as their anchors', async () => {
  await setUp(
    '<DL><DT><A HREF="https://a.com/?x=1&amp;y=2" ADD_DATE="1">P&atilde;o</A>' +
      '<DT><A HREF="javascript:alert(1)">Atalho</A></DL>',
  );
  expect(await screen.findByText('1 link encontrado · 1 linha sem link')).toBeTruthy();
  expect(ticked()).toEqual(['Pãoa.com/?x=1&y=2']);
  expect(rows().getByText('URL inválida')).toBeTruthy();
});

test('a link that is there already says where, and is not chosen by itself', async () => {
  const { user } = await setUp(
    'https://a.com\nhttps://b.com',
    {},
    {
      places: [
        {
          url: 'https://a.com',
          link_id: 'l',
          title: 'A',
          category_id: OTHER,
          category_name: 'Chapada',
          folder_name: 'Viagens',
          is_own: true,
          owner_name: null,
        },
      ],
    },
  );
  expect(await screen.findByText('Já está em Viagens / Chapada')).toBeTruthy();
  expect(row(/a\.com/).checked).toBe(false);
  expect(row(/b\.com/).checked).toBe(true);
  await user.click(row(/a\.com/));
  expect(save().textContent).toBe('Salvar 2 links');
});

describe('a plan with little room', () => {
  const text = 'https://a.com\nhttps://b.com\nhttps://c.com\nhttps://d.com';

  test("takes the first that fit; another choice is the person's", async () => {
    const { user, requests } = await setUp(text, { allowance: { used: 18, max: 20 } });
    expect(await screen.findByText(/Cabem mais 2 links no seu plano\./)).toBeTruthy();
    expect(row(/a\.com/).checked && row(/b\.com/).checked).toBe(true);
    expect(row(/c\.com/).checked).toBe(false);

    await user.click(row(/a\.com/));
    // Nothing moves by itself once the person chooses.
    expect(row(/c\.com/).checked).toBe(false);
    await user.click(row(/d\.com/));
    await user.click(save());
    await waitFor(() =>
      expect(requests[0]?.map(({ url }) => url).toSorted()).toEqual(['https://b.com', 'https://d.com']),
    );
  });

  test('does not save more than fits, and says what to do', async () => {
    const { user, requests } = await setUp(text, { allowance: { used: 18, max: 20 } });
    await user.click(await screen.findByRole('checkbox', { name: 'Todos' }));
    expect(screen.getByText('Desmarque 2 links para salvar.')).toBeTruthy();
    await user.click(save());
    expect(requests).toEqual([]);
  });

  test('that fills up elsewhere keeps list and dialog, and takes the links back', async () => {
    const { user, onClose, undo, shown } = await setUp(text, {}, { respond: () => fullPlan });
    await user.click(await screen.findByRole('button', { name: 'Salvar 4 links' }));
    expect(await screen.findByText('Limite de 20 links atingido')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    expect(undo).toHaveBeenCalledTimes(1);
    expect(shown()).toEqual([]);
    expect(ticked()).toHaveLength(4);
  });
});

describe('titles of the pages', () => {
  const pages = { 'https://a.com': 'Página A', 'https://b.com': 'Página B' };

  test('take the place of the host, a few at a time, for lines without one', async () => {
    const { user, requests, preview } = await setUp(
      'https://a.com\nMeu - https://b.com\nhttps://c.com',
      {},
      { pages },
    );
    expect(await screen.findByText('Página A')).toBeTruthy();
    await waitFor(() => expect(preview).toHaveBeenCalledTimes(2));
    await user.click(save());
    await waitFor(() => expect(requests[0]?.map(({ title }) => title)).toEqual(['c.com', 'Meu', 'Página A']));
  });

  test('are not asked for when the person does not want them, and that is remembered', async () => {
    const first = await setUp('https://a.com', {}, { pages });
    await first.user.click(await screen.findByRole('checkbox', { name: 'Buscar títulos nas páginas' }));
    first.unmount();
    const { preview } = await setUp('https://b.com', {}, { pages });
    expect(await screen.findByRole('button', { name: 'Salvar 1 link' })).toBeTruthy();
    expect(preview).not.toHaveBeenCalled();
  });

  test('stop when the service asks to slow down', async () => {
    const text = Array.from({ length: 30 }, (_, n) => `https://a.com/${n}`).join('\n');
    const busy = vi.fn(async () => Response.json({ error: 'x' }, { status: 429 }));
    const view = setUp(text);
    vi.stubGlobal('fetch', busy);
    await view;
    expect(await screen.findByText(/Muitas buscas seguidas/)).toBeTruthy();
    expect(busy.mock.calls.length).toBeLessThanOrEqual(3);
  });
});

describe('without a text', () => {
  test('it is asked for; a paste is read at once and can be corrected', async () => {
    const { user } = await setUp('');
    await user.click(await screen.findByLabelText('Links, um por linha'));
    await user.paste('https://a.com\nexemplo sem endereço');
    expect(await screen.findByText('1 link encontrado · 1 linha sem link')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Corrigir o texto' }));
    const box = screen.getByLabelText('Links, um por linha') as HTMLTextAreaElement;
    expect(box.value).toBe('https://a.com\nexemplo sem endereço');
    await user.type(box, '\nb.com');
    await user.click(screen.getByRole('button', { name: 'Continuar' }));
    expect(await screen.findByText('2 links encontrados · 1 linha sem link')).toBeTruthy();
  });

  test('what was pasted is not thrown away by a slip of the Esc key', async () => {
    const { user, onClose } = await setUp('https://a.com\nhttps://b.com');
    await screen.findByText('2 links encontrados');
    await user.keyboard('{Escape}');
    expect(await screen.findByText('Descartar o que você digitou?')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });
});

test('nothing is saved without a category or without a line', async () => {
  const { user, requests } = await setUp('https://a.com\nhttps://b.com', { categoryId: null });
  await user.click(await screen.findByRole('button', { name: 'Salvar 2 links' }));
  expect(await screen.findByText('Selecione uma categoria para o link')).toBeTruthy();
  await pickCategory(user, 'chapada');
  await user.click(screen.getByRole('checkbox', { name: 'Todos' }));
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(screen.getByText('Escolha pelo menos um link')).toBeTruthy();
  expect(requests).toEqual([]);
  await user.click(row(/a\.com/));
  await user.click(save());
  expect(await screen.findByText('Em Viagens / Chapada')).toBeTruthy();
});

describe('a file of bookmarks', () => {
  const BOOKMARKS = '<DL><DT><A HREF="https://a.com">Pão</A><DT><A HREF="https://b.com">Bolo</A></DL>';
  const field = () =>
    screen.getByLabelText<HTMLInputElement>('Escolher arquivo de favoritos', { selector: 'input' });

  test('stands for the text where there is no import', async () => {
    const { user } = await setUp('', { isTheirs: true });
    await user.upload(field(), new File([BOOKMARKS], 'favoritos.html', { type: 'text/html' }));
    expect(await screen.findByText('2 links encontrados')).toBeTruthy();
    expect(ticked()).toEqual(['Pãoa.com', 'Bolob.com']);
  });

  test('may be dropped as well', async () => {
    await setUp('', { isTheirs: true });
    const files = [new File([BOOKMARKS], 'favoritos.html', { type: 'text/html' })];
    fireEvent.drop(screen.getByLabelText('Links, um por linha'), { dataTransfer: { files } });
    expect(await screen.findByText('2 links encontrados')).toBeTruthy();
  });

  test('without a link, or too large, says so and leaves what was typed', async () => {
    const { user } = await setUp('', { isTheirs: true });
    await user.type(screen.getByLabelText('Links, um por linha'), 'https://c.com');
    await user.upload(field(), new File(['nada aqui'], 'nada.txt', { type: 'text/plain' }));
    expect(await screen.findByText(/^Nenhum link neste arquivo/)).toBeTruthy();
    const large = new File([BOOKMARKS], 'favoritos.html', { type: 'text/html' });
    Object.defineProperty(large, 'size', { value: 10_000_001 });
    await user.upload(field(), large);
    expect(await screen.findByText('O arquivo é grande demais: até 10 MB.')).toBeTruthy();
    expect(screen.getByLabelText('Links, um por linha')).toHaveProperty('value', 'https://c.com');
  });

  test('is asked for nowhere else', async () => {
    await setUp('');
    expect(screen.queryByRole('button', { name: 'Escolher arquivo de favoritos' })).toBeNull();
  });
});
