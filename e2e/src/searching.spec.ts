import { searchBox, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem procura um link', () => {
  test('aperta /, digita, desce com a seta e abre a categoria com Ctrl+Enter', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, {
      category: 'Física',
      links: ['Ação e reação', 'Ação de graças', 'Outra coisa'],
    });
    await signIn(page, account);
    await page.keyboard.press('/');
    await expect(searchBox(page)).toBeFocused();
    await page.keyboard.type('acao');
    await expect(page.getByRole('option')).toHaveCount(2);
    await expect(page.getByRole('option').first()).toContainText('Física');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Enter');
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}`));
    await expect(searchBox(page)).toHaveValue('');
  });

  test('clica em um resultado e a busca se limpa', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Buracos negros'] });
    await signIn(page, account);
    await searchBox(page).fill('BURACOS');
    await page.getByRole('option', { name: /Buracos negros/ }).click();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}`));
    await expect(searchBox(page)).toHaveValue('');
  });

  test('refina com operadores, tira um pelo chip e lê o que está errado', async ({ page, account }) => {
    await fillLibrary(account, { folder: 'Casa', category: 'Receitas doces', links: ['Bolo de fubá'] });
    await fillLibrary(account, { folder: 'Estudos', category: 'Física', links: ['Bolo quântico'] });
    await signIn(page, account);
    await searchBox(page).fill('bolo em:rec');
    await page.getByRole('option', { name: 'em:"Receitas doces"' }).click();
    await expect(searchBox(page)).toHaveValue('bolo em:"Receitas doces" ');
    await expect(page.getByRole('option')).toHaveCount(1);
    await expect(page.getByRole('option')).toContainText('Bolo de fubá');
    await expectNoBarrier(page);
    await searchBox(page).press('Enter');
    await expect(page.getByRole('heading', { name: 'Resultados da busca' })).toBeVisible();
    await expect(page.locator('[data-found-link]')).toHaveText(['Bolo de fubá']);
    await expectNoBarrier(page);
    await page.getByRole('link', { name: 'Tirar em:"Receitas doces" da busca' }).click();
    await expect(page.locator('[data-found-link]')).toHaveCount(2);
    await page.goto(`/search?q=${encodeURIComponent('bolo antes:32/13/2024')}`);
    await expect(page.getByText('“antes:32/13/2024” não é uma data')).toBeVisible();
  });

  test('erra uma letra e aceita a sugestão', async ({ page, account }) => {
    await fillLibrary(account, { links: ['Receita de pão'] });
    await signIn(page, account);
    await searchBox(page).fill('receta');
    await expect(page.getByRole('option', { name: /Receita de pão/ })).toBeVisible();
    await expectNoBarrier(page);
    await page.getByRole('option', { name: 'Você quis dizer “receita”?' }).click();
    await expect(searchBox(page)).toHaveValue('receita');
    await expect(page.getByRole('option', { name: /Receita de pão/ })).toBeVisible();
    await page.goto('/search?q=receta');
    await expect(page.getByRole('heading', { name: 'Links com “receita”' })).toBeVisible();
    await page.getByRole('link', { name: 'Você quis dizer “receita”?' }).click();
    await expect(page).toHaveURL(/q=receita/);
  });

  test('lê que nada foi encontrado e limpa a busca', async ({ page, account }) => {
    await fillLibrary(account, { links: ['Um', 'Dois'] });
    await signIn(page, account);
    await searchBox(page).fill('%');
    await expect(page.getByText('Nenhum resultado encontrado')).toBeVisible();
    await page.getByRole('button', { name: /limpar/i }).click();
    await expect(searchBox(page)).toHaveValue('');
    await expect(page.getByText('Nenhum resultado encontrado')).toBeHidden();
  });

  test('é avisado quando a busca falha', async ({ page, account, context }) => {
    await fillLibrary(account, { links: ['Um'] });
    await signIn(page, account);
    await context.route('**/rest/v1/rpc/search_links**', (route) =>
      route.fulfill({ status: 400, contentType: 'application/json', body: '{"code":"XX","message":"não"}' }),
    );
    await searchBox(page).fill('um');
    await expect(page.getByText('Não foi possível realizar a busca. Tente novamente.').first()).toBeVisible();
  });

  test('vê na hora o que o navegador já tem, e depois o resto, sem que nada mude de lugar', async ({
    page,
    account,
    context,
  }) => {
    const { categoryId } = await fillLibrary(account, { category: 'Física', links: ['Luz polarizada'] });
    await fillLibrary(account, { folder: 'Casa', category: 'Contas', links: ['Conta de luz'] });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(page.getByText('Luz polarizada').first()).toBeVisible();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await context.route('**/rest/v1/rpc/search_links**', async (route) => {
      await held;
      await route.continue();
    });
    await searchBox(page).fill('LUZ');
    const options = page.getByRole('option');
    await expect(options).toHaveCount(1);
    await expect(options.first()).toContainText('Luz polarizada');
    await expect(page.getByText('Buscando...')).toBeAttached();
    answer();
    await expect(options).toHaveCount(2);
    await expect(options.first()).toContainText('Luz polarizada');
    await expect(options.last()).toContainText('Conta de luz');
  });

  test('abre com Enter todos os resultados, vira a página e volta', async ({ page, account }) => {
    const titles = Array.from({ length: 19 }, (_, index) => `Ação ${index + 1}`);
    await fillLibrary(account, { links: titles });
    await signIn(page, account);
    await searchBox(page).fill('acao');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/search\?q=acao&page=1$/);
    await expect(page.getByRole('article')).toHaveCount(19);
    await expect(page.getByRole('article').first().locator('mark')).toHaveText('Ação');
    await expect(searchBox(page)).toHaveValue('acao');
    await page.getByRole('article').first().getByRole('link', { name: 'Física' }).click();
    await expect(page).toHaveURL(/\/category\//);
    await expect(searchBox(page)).toHaveValue('');
    await page.goBack();
    await expect(page.getByRole('article')).toHaveCount(19);
    await expect(searchBox(page)).toHaveValue('acao');

    await page.goto('/search?q=acao&page=2');
    await page.getByRole('link', { name: 'Ir para a primeira página' }).click();
    await expect(page.getByRole('article')).toHaveCount(19);
    await page.goto('/search');
    await expect(page.getByRole('heading', { level: 1, name: 'Todos os links' })).toBeVisible();
    await expect(page.getByRole('article').first()).toContainText('Ação 19');
  });

  test('arruma o que achou: escolhe em várias categorias, move de uma vez e desfaz', async ({
    page,
    account,
  }) => {
    await fillLibrary(account, { folder: 'Casa', category: 'Contas', links: ['Conta de luz'] });
    await fillLibrary(account, { category: 'Física', links: ['Luz polarizada', 'Anos-luz'] });
    await signIn(page, account, '/search?q=luz');
    const result = (title: string) => page.getByRole('article').filter({ hasText: title });
    await result('Conta de luz')
      .getByRole('link')
      .first()
      .click({ modifiers: ['Control'] });
    await result('Luz polarizada').getByRole('checkbox').click();
    await expectNoBarrier(page, THEMES);
    await page.getByRole('button', { name: 'Mover (2)' }).click();
    await page
      .getByRole('option', { name: /Contas/ })
      .last()
      .click();
    await expect(page.getByText('Link movido para Contas')).toBeVisible();
    await expect(result('Luz polarizada').getByRole('link', { name: 'Contas' })).toBeVisible();
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(result('Luz polarizada').getByRole('link', { name: 'Física' })).toBeVisible();

    await result('Anos-luz').hover();
    await page.getByRole('button', { name: 'Ações do link Anos-luz' }).click();
    await page.getByRole('menuitem', { name: 'Excluir' }).click();
    await page.getByRole('button', { name: 'Excluir', exact: true }).click();
    await expect(page.getByText('Link excluído com sucesso')).toBeVisible();
    await expect(page.getByRole('article')).toHaveCount(2);
    await page.keyboard.press('Control+Z');
    await expect(result('Anos-luz')).toBeVisible();
  });

  test('encontra o link escolhido entre os outros da categoria', async ({ page, account }) => {
    const titles = ['Agulha', ...Array.from({ length: 18 }, (_, index) => `Palha ${index + 1}`)];
    const { categoryId } = await fillLibrary(account, { links: titles });
    await signIn(page, account);
    await searchBox(page).fill('agulha');
    await page.getByRole('option').click();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}$`));
    const needle = page.getByRole('link', { name: 'Agulha' });
    await expect(needle).toBeFocused();
    await expect(needle).toBeInViewport();
  });

  test('lê a lista e a página dos resultados sem barreiras', async ({ page, account }) => {
    await fillLibrary(account, { category: 'Buracos', links: ['Buracos negros', 'Buracos de minhoca'] });
    await signIn(page, account);
    await searchBox(page).fill('buracos');
    await expect(page.getByRole('option')).toHaveCount(3);
    await page.keyboard.press('ArrowDown');
    await expectNoBarrier(page, THEMES);
    await page.keyboard.press('Shift+Enter');
    await expect(page.getByRole('article')).toHaveCount(2);
    await expectNoBarrier(page, THEMES);
    await searchBox(page).fill('nada disso');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Nenhum resultado encontrado')).toBeVisible();
    await expectNoBarrier(page, THEMES);
  });

  test('abre com Enter o próprio link em outra aba', async ({ page, account, context }) => {
    await fillLibrary(account, { links: ['Buracos negros'] });
    await signIn(page, account);
    await context.route('https://example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>o link</title>' }),
    );
    await searchBox(page).fill('buracos');
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    const opened = context.waitForEvent('page');
    await page.keyboard.press('Enter');
    await expect(await opened).toHaveURL('https://example.com/pagina-1');
    await expect(searchBox(page)).toHaveValue('buracos');
  });

  test('fecha com Esc, depois limpa, e volta para onde estava', async ({ page, account }) => {
    await fillLibrary(account, { links: ['Buracos negros'] });
    await signIn(page, account);
    const before = page.getByRole('button', { name: 'Nova Pasta' }).first();
    await before.focus();
    await page.keyboard.press('/');
    await page.keyboard.type('buracos');
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(0);
    await expect(searchBox(page)).toHaveValue('buracos');
    await page.keyboard.press('Escape');
    await expect(searchBox(page)).toHaveValue('');
    await expect(before).toBeFocused();
  });
});

test.describe('Quem procura no telefone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('tem a largura toda para a busca e uma seta para voltar', async ({ page, account }) => {
    await fillLibrary(account, { links: ['Buracos negros'] });
    await signIn(page, account);
    const narrow = (await searchBox(page).boundingBox())?.width ?? 0;
    await searchBox(page).tap();
    const back = page.getByRole('button', { name: 'Fechar busca' });
    await expect(back).toBeVisible();
    await expect.poll(async () => (await searchBox(page).boundingBox())?.width).toBeGreaterThan(narrow + 40);
    await searchBox(page).fill('buracos');
    await expect(page.getByRole('option')).toHaveCount(1);
    const results = await page.getByText('Resultados da busca').first().boundingBox();
    expect(results?.y).toBeGreaterThanOrEqual(73);
    await back.tap();
    await expect(page.getByRole('option')).toHaveCount(0);
    await expect(searchBox(page)).toHaveValue('');
    await expect(page.getByRole('button', { name: 'Abrir navegação' })).toBeVisible();
  });

  test('lê a lista e a página dos resultados sem barreiras', async ({ page, account }) => {
    await fillLibrary(account, { category: 'Buracos', links: ['Buracos negros', 'Buracos de minhoca'] });
    await signIn(page, account);
    await searchBox(page).fill('buracos');
    await expect(page.getByRole('option')).toHaveCount(3);
    await page.keyboard.press('ArrowDown');
    await expectNoBarrier(page, THEMES);
    await page.keyboard.press('Shift+Enter');
    await expect(page.getByRole('article')).toHaveCount(2);
    await expectNoBarrier(page, THEMES);
  });
});
