import type { Page } from '@playwright/test';
import { dialog, linkCard, notice, openLinkForm, paste, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

/** Pages of the internet are not ours to test: what the service would say of them. */
async function describePages(page: Page, titles: Readonly<Record<string, string>>) {
  await page.route('**/functions/v1/link-preview', async (route) => {
    const { url } = route.request().postDataJSON() as { url: string };
    const title = titles[url];
    await route.fulfill(
      title === undefined
        ? { status: 502, json: { error: 'Não foi possível ler esta página' } }
        : { json: { url, title, description: `Sobre ${title}` } },
    );
  });
}

test.describe('Quem guarda links', () => {
  test('cola um endereço em qualquer lugar da categoria, e Enter basta', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account);
    await describePages(page, { 'https://exemplo.com/pao': 'Pão de queijo' });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(page.getByText('Nenhum link encontrado nesta categoria')).toBeVisible();
    await paste(page, 'exemplo.com/pao');
    const form = dialog(page, 'Adicionar Link');
    await expect(form.getByLabel('URL')).toHaveValue('https://exemplo.com/pao');
    await expect(form.getByLabel('Título')).toHaveValue('Pão de queijo');
    await expect(form.getByLabel(/descrição/i)).toHaveValue('Sobre Pão de queijo');
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Link salvo com sucesso')).toBeVisible();
    await expect(linkCard(page, 'Pão de queijo')).toBeVisible();
  });

  test('cola no painel e o link vai para a última categoria usada', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Estudos', category: 'Física' });
    await account.insert('categories', [
      {
        name: 'Química',
        folder_id: (await fillLibrary(account, { folder: 'Outra' })).folderId,
        user_id: account.id,
      },
    ]);
    await describePages(page, {});
    await signIn(page, account, `/category/${categoryId}`);
    const first = await openLinkForm(page);
    await first.getByLabel('URL').fill('https://exemplo.com/um');
    await first.getByLabel('Título').fill('Um');
    await first.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(first).toBeHidden();

    await page.goto('/dashboard');
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page.getByRole('treeitem', { name: 'Estudos' })).toBeVisible();
    await paste(page, 'https://exemplo.com/dois');
    const form = dialog(page, 'Adicionar Link');
    await expect(form.getByLabel('Categoria')).toHaveValue('Estudos / Física');
    await expect(form.getByText('A última que você usou.')).toBeVisible();
    await expect(form.getByText('Não encontramos o título desta página.')).toBeVisible();
    await form.getByLabel('Título').fill('Dois');
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Em Estudos / Física')).toBeVisible();
  });

  test('acha a categoria sem acento nem maiúscula, e cria a que falta, com o teclado do telefone aberto', async ({
    page,
    account,
  }) => {
    // What an on-screen keyboard leaves of a phone's window.
    await page.setViewportSize({ width: 390, height: 420 });
    const { categoryId, folderId } = await fillLibrary(account, { folder: 'Estudos', category: 'Física' });
    await account.insert('categories', [{ name: 'Ação', folder_id: folderId, user_id: account.id }]);
    await describePages(page, {});
    await signIn(page, account, `/category/${categoryId}`);
    const form = await openLinkForm(page);
    await form.getByLabel('URL').fill('https://exemplo.com/um');
    await form.getByLabel('Título').fill('Um');
    const field = form.getByRole('combobox', { name: 'Categoria' });
    await field.click();
    const list = form.getByRole('listbox', { name: 'Categorias' });
    await expect(list.getByRole('option').first()).toBeInViewport({ ratio: 1 });
    await expectNoBarrier(page, THEMES);
    await page.keyboard.type('estudos/acao');
    await expect(list.getByRole('option', { name: 'Ação' })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('Estudos / Ação');

    await field.click();
    await page.keyboard.type('Química');
    const creation = list.getByRole('option', { name: 'Criar "Química"' });
    await expect(creation).toBeInViewport({ ratio: 1 });
    await creation.click();
    await expect(field).toHaveValue('Estudos / Química');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Em Estudos / Química')).toBeVisible();
  });

  test('entre 1.000 categorias acha a sua digitando', async ({ page, account, server }) => {
    await subscribe(server, account, 'pro');
    const { categoryId, folderId } = await fillLibrary(account);
    const names = Array.from({ length: 1000 }, (_, index) => `Categoria ${index + 1}`);
    await account.insert(
      'categories',
      names.map((name) => ({ name, folder_id: folderId, user_id: account.id })),
    );
    await signIn(page, account, `/category/${categoryId}`);
    const field = (await openLinkForm(page)).getByRole('combobox', { name: 'Categoria' });
    await field.click();
    // It opens on what is chosen, wherever that stands.
    await expect(page.getByRole('option', { name: 'Física' })).toBeInViewport({ ratio: 1 });
    await page.keyboard.type('categ 777');
    await expect(page.getByRole('option')).toHaveText(['Categoria 777', /^Criar "categ 777"/]);
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('Estudos / Categoria 777');
  });

  test('abre Colar vários e já escreve', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account);
    await signIn(page, account, `/category/${categoryId}`);
    const one = await openLinkForm(page);
    await one.getByRole('button', { name: 'Colar vários' }).click();
    await expect(dialog(page, 'Adicionar vários links').getByLabel('Links, um por linha')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Adicionar Link' }).first()).toBeFocused();
  });

  test('cola antes de ter onde guardar: pasta e categoria nascem com o link, que já está na tela', async ({
    page,
    account,
  }) => {
    await describePages(page, { 'https://exemplo.com/pao': 'Pão de queijo' });
    await signIn(page, account);
    const field = page.getByLabel('Cole seu primeiro link');
    await expect(field).toBeFocused();
    await expectNoBarrier(page, THEMES);
    await field.fill('https://exemplo.com/pao');
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Em Minha biblioteca / Geral')).toBeVisible();
    await expect(linkCard(page, 'Pão de queijo')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Geral', level: 1 })).toBeVisible();
  });

  test('fica sabendo onde o endereço já está, e salva mesmo assim', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Ciência', links: ['Quarks'] });
    await signIn(page, account, '/dashboard');
    await expect(page.getByRole('treeitem', { name: 'Ciência' })).toBeVisible();
    await paste(page, 'https://Example.com/pagina-1');
    const form = dialog(page, 'Adicionar Link');
    await expect(form.getByText(/Este endereço já está em/)).toBeVisible();
    const [there] = await Promise.all([
      page.context().waitForEvent('page'),
      form.getByRole('link', { name: 'Ciência / Física' }).click(),
    ]);
    await expect(there).toHaveURL(new RegExp(`/category/${categoryId}$`));
    await there.close();
    await form.getByLabel('Título').fill('Quarks de novo');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Link salvo com sucesso')).toBeVisible();
  });

  test('salva e já escreve o próximo sem tirar as mãos do teclado', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account);
    await signIn(page, account, `/category/${categoryId}`);
    await expect(page.getByText('Nenhum link encontrado nesta categoria')).toBeVisible();
    await page.keyboard.press('n');
    const form = dialog(page, 'Adicionar Link');
    for (const title of ['Um', 'Dois']) {
      await expect(form.getByLabel('URL')).toBeFocused();
      await page.keyboard.type(`exemplo.com/${title}`);
      await form.getByLabel('Título').focus();
      await page.keyboard.type(title);
      await page.keyboard.press('Control+Shift+Enter');
      await expect(form.getByLabel('Título')).toHaveValue('');
    }
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    await expect(page.getByRole('article')).toHaveCount(2);
  });

  test('cola uma lista inteira: escolhe, e o que cabe no plano é salvo de uma vez', async ({
    page,
    account,
  }) => {
    const titles = Array.from({ length: 17 }, (_, index) => `Artigo ${index + 1}`);
    const { categoryId } = await fillLibrary(account, { folder: 'Estudos', links: titles });
    await describePages(page, { 'https://exemplo.com/a': 'A página A' });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(linkCard(page, 'Artigo 17')).toBeVisible();
    await paste(
      page,
      [
        'https://exemplo.com/a',
        '[B](https://exemplo.com/b)',
        'https://example.com/pagina-1',
        'uma linha sem endereço',
        'C\thttps://exemplo.com/c',
        'D - https://exemplo.com/d',
      ].join('\n'),
    );
    const form = dialog(page, 'Adicionar vários links');
    await expect(form.getByText('5 links encontrados · 1 linha sem link')).toBeVisible();
    await expect(form.getByText('Cabem mais 3 links no seu plano.')).toBeVisible();
    await expect(form.getByText('1 não cabe no seu plano (20 links) e ficou desmarcado.')).toBeVisible();
    await expect(form.getByText('Já está em Estudos / Física')).toBeVisible();
    await expect(form.getByText('Nenhum endereço nesta linha')).toBeVisible();
    await expect(form.getByText('A página A')).toBeVisible();
    await expect(form.getByRole('checkbox', { name: /^D/ })).not.toBeChecked();
    await expectNoBarrier(page, THEMES);
    await form.getByRole('button', { name: 'Salvar 3 links' }).click();
    await expect(notice(page, '3 links salvos com sucesso')).toBeVisible();
    const top = page.getByRole('article');
    await expect(top.nth(0)).toContainText('A página A');
    await page.reload();
    await expect(top.nth(0)).toContainText('A página A');
    await expect(top.nth(1)).toContainText('B');
    await expect(top.nth(2)).toContainText('C');
    await expect(page.getByText('Você atingiu o limite de 20 links.').first()).toBeVisible();
  });
});
