import type { Page } from '@playwright/test';
import { dialog, linkCard, notice, openLinkForm, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

/** Pastes a text where the focus is, as Ctrl+V does. */
async function paste(page: Page, text: string) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+v');
}

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
    await expect(form.getByLabel('Categoria')).toHaveValue(categoryId);
    await expect(form.getByText('A última que você usou.')).toBeVisible();
    await expect(form.getByText('Não encontramos o título desta página.')).toBeVisible();
    await form.getByLabel('Título').fill('Dois');
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Em Estudos / Física')).toBeVisible();
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
