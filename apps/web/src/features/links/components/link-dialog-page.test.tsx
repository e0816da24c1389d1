import type { LinkForm } from '@linkoteca/domain/library-schemas';
import { act, screen, waitFor } from '@testing-library/react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { letPass } from '../../../shared/test/let-pass.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import type { LinkFields } from '../model/link-fields.ts';
import { type PageDetails, usePageDetails } from '../model/use-page-details.ts';
import { CATEGORY, OTHER, pickCategory, renderLinkDialog, storedLink } from '../test/render-link-dialog.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

const field = (label: string) => screen.getByLabelText(label) as HTMLInputElement;
const description = () => field('Descrição (opcional)');

/** A preview service that answers when the test says so, and notes what was given up. */
function heldPages() {
  const asked: { readonly url: string; readonly answer: (page: object, status?: number) => void }[] = [];
  const aborted: string[] = [];
  const preview: typeof fetch = (_input, init) =>
    new Promise((resolve, reject) => {
      const { url } = JSON.parse(String(init?.body)) as { url: string };
      init?.signal?.addEventListener('abort', () => {
        aborted.push(url);
        reject(init.signal?.reason);
      });
      asked.push({ url, answer: (page, status = 200) => resolve(Response.json(page, { status })) });
    });
  return { asked, aborted, preview };
}

let shown: { form: UseFormReturn<LinkFields, unknown, LinkForm>; details: PageDetails } | undefined;

/** The form's values and what a page fills in, without the fields. */
function Details() {
  const form = useForm<LinkFields, unknown, LinkForm>({
    defaultValues: { url: 'https://exemplo.com', title: '', description: '', category_id: CATEGORY },
  });
  shown = { form, details: usePageDetails({ form, automatic: true }) };
  return <p>{shown.details.state}</p>;
}

const link = sampleLink({ category_id: CATEGORY });

describe('title and description come from the page', () => {
  test('once an address is pasted, into fields that nobody touched, and go again with one press', async () => {
    const pages = heldPages();
    const { user } = await renderLinkDialog(storedLink, {}, pages);
    await user.click(await screen.findByLabelText('URL'));
    await user.paste('exemplo.com/pao');
    await waitFor(() => expect(pages.asked.map(({ url }) => url)).toEqual(['https://exemplo.com/pao']));
    expect(field('Título').placeholder).toBe('Buscando título…');

    pages.asked[0]?.answer({ url: '', title: '  Pão de\n queijo ', description: 'x'.repeat(1300) });
    await waitFor(() => expect(field('Título').value).toBe('Pão de queijo'));
    expect([...description().value]).toHaveLength(1200);
    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(field('Título').value).toBe('');
    expect(description().value).toBe('');
    expect(pages.asked).toHaveLength(1);
  });

  test('with the address that the form opens with, and Enter saves it', async () => {
    const pages = heldPages();
    const { user, requests } = await renderLinkDialog(
      storedLink,
      { start: { url: 'https://exemplo.com/pao' } },
      pages,
    );
    await waitFor(() => expect(pages.asked).toHaveLength(1));
    pages.asked[0]?.answer({ url: '', title: 'Pão de queijo', description: null });
    await waitFor(() => expect(field('Título').value).toBe('Pão de queijo'));
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(requests[0]?.body).toMatchObject({ title: 'Pão de queijo', description: null }),
    );
  });

  test('never over what was typed while the page was asked for', async () => {
    const pages = heldPages();
    const { user } = await renderLinkDialog(storedLink, { start: { url: 'https://exemplo.com' } }, pages);
    await user.type(await screen.findByLabelText('Título'), 'Meu');
    pages.asked[0]?.answer({ url: '', title: 'Da página', description: 'Sobre a página' });
    await waitFor(() => expect(description().value).toBe('Sobre a página'));
    expect(field('Título').value).toBe('Meu');
  });

  test.each([
    ['says nothing', null],
    ['has a title', 'Da página'],
  ])(
    'never over a letter that came in the same moment as the answer of a page that %s',
    async (_what, title) => {
      const pages = heldPages();
      vi.stubGlobal('fetch', pages.preview);
      await renderWithProviders(<Details />);
      await waitFor(() => expect(pages.asked).toHaveLength(1));
      // The field has it; nobody has said so yet.
      act(() => shown?.form.setValue('title', 'C'));
      pages.asked[0]?.answer({ url: '', title, description: 'Sobre a página' });
      await waitFor(() => expect(shown?.form.getValues('description')).toBe('Sobre a página'));
      expect(shown?.form.getValues('title')).toBe('C');
    },
  );

  test('of the last address: the question after the one before is given up, its answer replaced', async () => {
    const pages = heldPages();
    const { user, unmount } = await renderLinkDialog(storedLink, {}, pages);
    await user.click(await screen.findByLabelText('URL'));
    await user.paste('https://um.com');
    await user.tab();
    await waitFor(() => expect(pages.asked).toHaveLength(1));
    pages.asked[0]?.answer({ url: '', title: 'Um', description: null });
    await waitFor(() => expect(field('Título').value).toBe('Um'));

    await user.clear(field('URL'));
    await user.paste('https://dois.com');
    await user.tab();
    await waitFor(() => expect(pages.asked).toHaveLength(2));
    await user.click(field('URL'));
    await user.paste('/tres');
    await waitFor(() => expect(pages.aborted).toEqual(['https://dois.com']));
    await user.tab();
    await waitFor(() => expect(pages.asked).toHaveLength(3));
    pages.asked[2]?.answer({ url: '', title: 'Três', description: null });
    await waitFor(() => expect(field('Título').value).toBe('Três'));

    await user.clear(field('URL'));
    await user.paste('https://quatro.com');
    await waitFor(() => expect(pages.asked).toHaveLength(4));
    unmount();
    expect(pages.aborted).toEqual(['https://dois.com', 'https://quatro.com']);
  });

  test.each([502, 504, 400])(
    'a page that cannot be read (%s) says so quietly and blocks nothing',
    async (status) => {
      const pages = heldPages();
      const { user, requests } = await renderLinkDialog(
        storedLink,
        { start: { url: 'https://exemplo.com' } },
        pages,
      );
      await waitFor(() => expect(pages.asked).toHaveLength(1));
      pages.asked[0]?.answer({ error: 'x' }, status);
      expect(await screen.findByText('Não encontramos o título desta página.')).toBeTruthy();
      await user.type(field('Título'), 'Meu{Enter}');
      await waitFor(() => expect(requests[0]?.body).toMatchObject({ title: 'Meu' }));
    },
  );

  test.each([429, 500])("a service that does not answer (%s) is not the page's fault", async (status) => {
    const pages = heldPages();
    await renderLinkDialog(storedLink, { start: { url: 'https://exemplo.com' } }, pages);
    await waitFor(() => expect(pages.asked).toHaveLength(1));
    expect(await screen.findByText('Buscando título…')).toBeTruthy();
    pages.asked[0]?.answer({ error: 'x' }, status);
    expect(await screen.findByText('Em branco, buscamos na página.')).toBeTruthy();
  });

  test('of an edited link only when asked, and Ctrl+Z takes it back', async () => {
    const pages = heldPages();
    const { user } = await renderLinkDialog(storedLink, { link }, pages);
    await user.click(await screen.findByRole('button', { name: 'Buscar título' }));
    await waitFor(() => expect(pages.asked).toHaveLength(1));
    pages.asked[0]?.answer({ url: '', title: 'Novo', description: 'Sobre' });
    await waitFor(() => expect(field('Título').value).toBe('Novo'));
    expect(description().value).toBe('Sobre');
    await user.click(field('Título'));
    await user.keyboard('{Control>}z{/Control}');
    expect(field('Título').value).toBe('Velho');
    expect(description().value).toBe('');
  });

  test('an edited link is left alone otherwise', async () => {
    const { preview } = await renderLinkDialog(storedLink, { link });
    expect(await screen.findByRole('button', { name: 'Buscar título' })).toBeTruthy();
    expect(preview).not.toHaveBeenCalled();
  });
});

describe('an address that is there already', () => {
  const place = {
    url: 'https://exemplo.com/pao',
    link_id: link.id,
    title: 'Pão',
    category_id: OTHER,
    category_name: 'Chapada',
    folder_name: 'Viagens',
    is_own: true,
    owner_name: null,
  };

  test('says where, with the way there, and may be saved again', async () => {
    const { user, requests } = await renderLinkDialog(
      storedLink,
      { start: { url: 'https://exemplo.com/pao', title: 'Outra vez' } },
      { places: [place] },
    );
    expect(await screen.findByText(/Este endereço já está em/)).toBeTruthy();
    const way = screen.getByRole('link', { name: 'Viagens / Chapada' });
    expect(way.getAttribute('href')).toBe(`/category/${OTHER}`);
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(requests).toHaveLength(1));
  });

  test('is found in what the browser holds before the database answers', async () => {
    const { user, queryClient } = await renderLinkDialog(storedLink);
    queryClient.setQueryData(['links', OTHER], {
      pages: [{ links: [{ ...link, category_id: OTHER }], next: null }],
      pageParams: [null],
    });
    await user.click(await screen.findByLabelText('URL'));
    await user.paste('HTTPS://Exemplo.com/');
    expect(await screen.findByRole('link', { name: 'Viagens / Chapada' })).toBeTruthy();
  });

  test('is no news about the link that is being edited', async () => {
    const { user, lookedUp, queryClient } = await renderLinkDialog(
      storedLink,
      { link },
      { places: [{ ...place, url: 'https://exemplo.com/novo' }] },
    );
    await user.clear(await screen.findByLabelText('URL'));
    await user.paste('https://exemplo.com/novo');
    await user.tab();
    await waitFor(() => expect(lookedUp).toContain('https://exemplo.com/novo'));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await letPass(0);
    expect(screen.queryByText(/Este endereço já está em/)).toBeNull();
  });
});

describe('saving with the keyboard', () => {
  const start = { url: 'https://exemplo.com', title: 'Um' };

  test('Ctrl+Enter saves from the description', async () => {
    const { user, requests, onClose } = await renderLinkDialog(storedLink, { start });
    await user.type(await screen.findByLabelText('Descrição (opcional)'), 'a{Control>}{Enter}{/Control}');
    await waitFor(() => expect(requests[0]?.body).toMatchObject({ description: 'a' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });

  test('Ctrl+Shift+Enter saves and goes on with an empty form in the same category', async () => {
    const { user, requests, onClose } = await renderLinkDialog(storedLink, { start });
    await pickCategory(user, 'chapada');
    await user.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
    await waitFor(() => expect(field('URL').value).toBe(''));
    expect(document.activeElement).toBe(field('URL'));
    expect(field('Título').value).toBe('');
    expect(field('Categoria').value).toBe('Viagens / Chapada');
    expect(onClose).not.toHaveBeenCalled();

    await user.paste('https://exemplo.com/dois');
    await user.type(field('Título'), 'Dois{Enter}');
    await waitFor(() => expect(requests).toHaveLength(2));
    const [first, second] = requests.map(({ body }) => body as { id: string; category_id: string });
    expect(second?.id).not.toBe(first?.id);
    expect(second?.category_id).toBe(OTHER);
    expect(
      localStorage.getItem(`linkoteca-draft-link-11111111-1111-4111-8111-111111111111-${CATEGORY}`),
    ).toBeNull();
  });

  test('an edited link has no next one', async () => {
    await renderLinkDialog(storedLink, { link });
    expect(await screen.findByRole('button', { name: 'Salvar' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Salvar e adicionar outro' })).toBeNull();
  });
});

describe('the category a link starts in', () => {
  test('is the last one used when none is on the screen, and says so', async () => {
    const { user, unmount } = await renderLinkDialog(storedLink, {
      categoryId: OTHER,
      start: { url: 'https://a.com', title: 'A' },
    });
    await user.click(await screen.findByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    unmount();
    await renderLinkDialog(storedLink, { categoryId: null });
    expect(((await screen.findByLabelText('Categoria')) as HTMLInputElement).value).toBe('Viagens / Chapada');
    expect(screen.getByText('A última que você usou.')).toBeTruthy();
    await pickCategory(user, 'redes');
    expect(screen.queryByText('A última que você usou.')).toBeNull();
  });

  test('is chosen by the person when nothing suggests itself', async () => {
    const { user, requests } = await renderLinkDialog(storedLink, {
      categoryId: null,
      start: { url: 'https://a.com', title: 'A' },
    });
    await user.click(await screen.findByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Selecione uma categoria para o link')).toBeTruthy();
    await pickCategory(user, 'viagens');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Em Viagens / Chapada')).toBeTruthy();
    expect(requests[0]?.body).toMatchObject({ category_id: OTHER });
  });

  test('does not exist yet for somebody who just arrived: it is made when the link is saved', async () => {
    const { user, requests, createPlace } = await renderLinkDialog(storedLink, {
      categoryId: null,
      groups: [],
      empty: true,
      start: { url: 'https://a.com', title: 'A' },
    });
    expect(((await screen.findByLabelText('Categoria')) as HTMLInputElement).value).toBe(
      'Minha biblioteca / Geral',
    );
    expect(createPlace).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(createPlace).toHaveBeenCalledExactlyOnceWith({
      name: 'Geral',
      folderId: null,
      folderName: 'Minha biblioteca',
    });
    expect(requests[0]?.body).toMatchObject({ category_id: OTHER });
  });

  test('is one of today where a draft names one that is gone', async () => {
    localStorage.setItem(
      `linkoteca-draft-link-11111111-1111-4111-8111-111111111111-${CATEGORY}`,
      JSON.stringify({ title: 'Guardado', category_id: '99999999-9999-4999-8999-999999999999' }),
    );
    await renderLinkDialog(storedLink);
    expect(((await screen.findByLabelText('Título')) as HTMLInputElement).value).toBe('Guardado');
    expect(field('Categoria').value).toBe('Estudos / Redes');
  });
});

describe('more than an address pasted into the field', () => {
  test('many lines go on with the dialog for many', async () => {
    const onPasteMany = vi.fn();
    const { user } = await renderLinkDialog(storedLink, { onPasteMany });
    await user.click(await screen.findByLabelText('URL'));
    await user.paste('https://a.com\nhttps://b.com');
    expect(onPasteMany).toHaveBeenCalledExactlyOnceWith('https://a.com\nhttps://b.com');
  });

  test('a title beside the address takes its own field', async () => {
    const { user } = await renderLinkDialog(storedLink, { onPasteMany: vi.fn() });
    await user.click(await screen.findByLabelText('URL'));
    await user.paste('Pão de queijo - exemplo.com/pao');
    expect(field('URL').value).toBe('https://exemplo.com/pao');
    expect(field('Título').value).toBe('Pão de queijo');
  });
});
