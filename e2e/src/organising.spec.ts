import {
  chooseFromMenu,
  createFolder,
  createLink,
  deleteQuestion,
  dialog,
  linkCard,
  notice,
  openLinkForm,
  shelf,
  signIn,
} from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test, WITH_MOVEMENT } from './support/test.ts';

test.use(WITH_MOVEMENT);

const titles = (count: number) => Array.from({ length: count }, (_, index) => `Artigo ${index + 1}`);

test.describe('Quem organiza seus links', () => {
  test('renomeia uma pasta e, ao recarregar, o nome novo ficou', async ({ page, account }) => {
    await fillLibrary(account, { folder: 'Viagens' });
    await signIn(page, account);
    await chooseFromMenu(page, shelf(page, 'Viagens'), 'Editar');
    const form = dialog(page, 'Editar Pasta');
    await expect(form.getByLabel('Nome da Pasta')).toHaveValue('Viagens');
    await form.getByLabel('Nome da Pasta').fill('Férias');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Pasta atualizada com sucesso')).toBeVisible();
    await page.reload();
    await expect(shelf(page, 'Férias')).toBeVisible();
    await expect(shelf(page, 'Viagens')).toHaveCount(0);
  });

  test('escolhe a cor e o emoji de uma pasta, e os vê na barra lateral também depois', async ({
    page,
    account,
  }) => {
    await fillLibrary(account, { folder: 'Viagens' });
    await signIn(page, account);
    const mark = shelf(page, 'Viagens').locator('[style*="--folder-"]');
    await chooseFromMenu(page, shelf(page, 'Viagens'), 'Editar');
    const form = dialog(page, 'Editar Pasta');
    await expect(form.getByRole('radio', { name: 'Automática' })).toBeChecked();
    // The arrows walk from one colour to the next.
    await form.getByRole('radio', { name: 'Turquesa' }).check();
    await page.keyboard.press('ArrowRight');
    await expect(form.getByRole('radio', { name: 'Azul' })).toBeChecked();
    await form.getByRole('button', { name: 'Viagem ✈️' }).click();
    await expect(form.getByLabel('Emoji', { exact: true })).toHaveValue('✈️');
    await expectNoBarrier(page);
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Pasta atualizada com sucesso')).toBeVisible();
    await expect(mark).toHaveAttribute('style', /--folder-6\)/);
    await page.reload();
    await expect(shelf(page, 'Viagens')).toContainText('✈️');
    await expect(mark).toHaveAttribute('style', /--folder-6\)/);
  });

  test('não repete o nome de uma pasta', async ({ page, account }) => {
    await fillLibrary(account, { folder: 'Viagens' });
    await signIn(page, account);
    await page.getByRole('button', { name: 'Nova Pasta' }).first().click();
    const form = dialog(page, 'Nova Pasta');
    await form.getByLabel('Nome da Pasta').fill('Viagens');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(page.getByText('Já existe uma pasta com este nome').first()).toBeVisible();
  });

  test('não salva uma pasta sem nome', async ({ page, account }) => {
    await signIn(page, account);
    await page.getByRole('button', { name: 'Nova Pasta' }).first().click();
    const form = dialog(page, 'Nova Pasta');
    await form.getByLabel('Nome da Pasta').fill('   ');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(form.getByText('O nome da pasta é obrigatório')).toBeVisible();
  });

  test('apaga uma pasta só depois de confirmar, e vai ao painel se a categoria aberta estava nela', async ({
    page,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Viagens', links: ['Lisboa'] });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(page.getByText('Lisboa').first()).toBeVisible();

    await chooseFromMenu(page, shelf(page, 'Viagens'), 'Excluir');
    const question = deleteQuestion(page);
    await expect(question.getByText('Tem certeza que deseja excluir?')).toBeVisible();
    await expect(question.getByText('Esta ação não poderá ser desfeita.')).toBeVisible();
    await expect(question).toContainText('Pasta');
    await expect(question).toContainText('Viagens');
    await question.getByRole('button', { name: 'Cancelar' }).click();
    await expect(page.getByText('Lisboa').first()).toBeVisible();

    await chooseFromMenu(page, shelf(page, 'Viagens'), 'Excluir');
    await question.getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Pasta excluída com sucesso')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.reload();
    await expect(page.getByText('Nenhuma pasta ainda')).toBeVisible();
  });

  test('corrige um link e apaga outro', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Errado', 'Velho'] });
    await signIn(page, account, `/category/${categoryId}`);

    await chooseFromMenu(page, linkCard(page, 'Errado'), 'Editar');
    const form = dialog(page, 'Editar Link');
    await form.getByLabel(/título/i).fill('Certo');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Link atualizado com sucesso')).toBeVisible();
    await expect(page.getByText('Certo').first()).toBeVisible();

    await chooseFromMenu(page, linkCard(page, 'Velho'), 'Excluir');
    const question = deleteQuestion(page);
    await question.getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Link excluído com sucesso')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Certo').first()).toBeVisible();
    await expect(page.getByText('Velho')).toHaveCount(0);
  });

  test('não salva um endereço que não é da web', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account);
    await signIn(page, account, `/category/${categoryId}`);
    const form = await openLinkForm(page);
    await form.getByLabel(/^url/i).fill('javascript:alert(1)');
    await form.getByLabel(/título/i).fill('Armadilha');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(form.getByText('URL inválida')).toBeVisible();
  });

  test('no limite de 20 links vê a recusa, e nada fica pela metade', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles(19) });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(page.getByText('Apenas 1 link restante do seu limite de 20.').first()).toBeVisible();

    // Another window takes the last place while this one still believes in it.
    const [stored] = await account.insert('links', [
      { title: 'O vigésimo', url: 'https://example.com/20', category_id: categoryId, user_id: account.id },
    ]);
    expect(stored).toBeDefined();
    const form = await openLinkForm(page);
    await form.getByLabel(/^url/i).fill('https://example.com/21');
    await form.getByLabel(/título/i).fill('Um a mais');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();

    await expect(page.getByText('Limite de 20 links atingido').first()).toBeVisible();
    await expect(page.getByText('Atualize seu plano para adicionar mais links').first()).toBeVisible();
    await expect(page).toHaveURL(/\/plans$/);
    await page.goto(`/category/${categoryId}`);
    await expect(page.getByText('O vigésimo').first()).toBeVisible();
    await expect(page.getByText('Um a mais')).toHaveCount(0);
    await expect(page.getByText('Você atingiu o limite de 20 links.').first()).toBeVisible();
  });

  test('não perde o que digitou quando a página recarrega no meio', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account);
    await signIn(page, account, `/category/${categoryId}`);
    const form = await openLinkForm(page);
    await form.getByLabel(/^url/i).fill('https://example.com/rascunho');
    await form.getByLabel(/título/i).fill('Rascunho precioso');
    await page.reload();
    await openLinkForm(page);
    await expect(form.getByLabel(/título/i)).toHaveValue('Rascunho precioso');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Link salvo com sucesso').first()).toBeVisible();
    await openLinkForm(page);
    await expect(form.getByLabel(/título/i)).toHaveValue('');
  });

  test('vê uma pasta aberta de cada vez', async ({ page, account }) => {
    await fillLibrary(account, { folder: 'Primeira', category: 'Dentro da primeira' });
    await fillLibrary(account, { folder: 'Segunda', category: 'Dentro da segunda' });
    await signIn(page, account);
    await expect(shelf(page, 'Dentro da primeira')).toBeHidden();
    await shelf(page, 'Primeira').click();
    await expect(shelf(page, 'Dentro da primeira')).toBeVisible();
    await shelf(page, 'Segunda').click();
    await expect(shelf(page, 'Dentro da segunda')).toBeVisible();
    await expect(shelf(page, 'Dentro da primeira')).toBeHidden();
  });

  test('lê no painel quantas pastas, categorias e links tem', async ({ page, account }) => {
    await fillLibrary(account, { folder: 'Ciência', category: 'Química', links: titles(7) });
    await signIn(page, account);
    const main = page.getByRole('main');
    await expect(main.getByText('7', { exact: true }).first()).toBeVisible();
    const recent = main.getByRole('region', { name: 'Categorias recentes' });
    await expect(recent.getByText('Química')).toBeVisible();
    await expect(recent.getByText('Sem descrição')).toBeVisible();
    await recent.getByText('Química').click();
    await expect(page).toHaveURL(/\/category\//);
  });

  test('escolhe ver os links em lista e a escolha fica', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles(3) });
    await signIn(page, account, `/category/${categoryId}`);
    const list = page.getByRole('button', { name: 'Lista', exact: true });
    await expect(list).toHaveAttribute('aria-pressed', 'false');
    await list.click();
    await page.reload();
    await expect(list).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByText('Artigo 3').first()).toBeVisible();
  });

  test('apaga vários links de uma vez', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles(4) });
    await signIn(page, account, `/category/${categoryId}`);
    await page.getByRole('button', { name: 'Selecionar' }).click();
    await page.getByRole('checkbox', { name: /Artigo 1/ }).click();
    await page.getByRole('checkbox', { name: /Artigo 2/ }).click();
    await page.getByRole('button', { name: /excluir/i }).click();
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, '2 links excluídos com sucesso')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Artigo 4').first()).toBeVisible();
    await expect(page.getByText('Artigo 1', { exact: true })).toHaveCount(0);
  });

  test('quando o servidor some, o que fez volta atrás com aviso e o texto continua guardado', async ({
    page,
    account,
    context,
  }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Fica'] });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(page.getByText('Fica').first()).toBeVisible();
    await context.route('**/rest/v1/rpc/delete_links', (route) => route.abort());
    await chooseFromMenu(page, linkCard(page, 'Fica'), 'Excluir');
    const question = deleteQuestion(page);
    await question.getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Não foi possível excluir o link')).toBeVisible();
    await expect(page.getByText('Fica').first()).toBeVisible();
  });

  test('favorita um link com S e a categoria pela estrela, e os tem no alto da barra lateral também depois', async ({
    page,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, { category: 'Física', links: ['Ondas', 'Calor'] });
    await signIn(page, account, `/category/${categoryId}`);
    const favorites = page.getByRole('region', { name: 'Favoritos' });
    await linkCard(page, 'Ondas').getByRole('link', { name: 'Ondas' }).focus();
    await expect(favorites).toHaveCount(0);
    await page.keyboard.press('s');
    await expect(favorites.getByRole('link')).toHaveText(['Ondas']);
    await page.getByRole('button', { name: 'Favoritar' }).click();
    await expect(favorites.getByRole('link')).toHaveText(['Física', 'Ondas']);
    // They are shown ahead of the server, which the next page asks.
    await expect.poll(async () => ((await account.read('favorites?select=id')) as unknown[]).length).toBe(2);
    await page.goto('/dashboard');
    const entry = favorites.getByRole('link', { name: 'Ondas' });
    await expect(entry).toHaveAttribute('href', 'https://example.com/pagina-1');
    await expect(entry).toHaveAttribute('target', '_blank');
    await favorites.getByRole('link', { name: 'Física' }).click();
    await expect(page).toHaveURL(`/category/${categoryId}`);
    await expect(linkCard(page, 'Ondas').getByRole('img', { name: 'Favorito' })).toBeVisible();
    // Deleted, it is gone from there; undone, its star is back.
    await chooseFromMenu(page, linkCard(page, 'Ondas'), 'Excluir');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(favorites.getByRole('link')).toHaveText(['Física']);
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(favorites.getByRole('link')).toHaveText(['Física', 'Ondas']);
    await favorites.getByRole('button', { name: 'Tirar Ondas dos favoritos' }).click();
    await expect(favorites.getByRole('link')).toHaveText(['Física']);
  });

  test('volta ao início e vê de cada categoria o que há dentro, e onde parou', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { category: 'Física', links: ['Ondas', 'Calor'] });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(linkCard(page, 'Ondas')).toBeVisible();
    await page.goto('/dashboard');
    const card = page.getByRole('main').getByRole('link', { name: /^Continue de onde parou/ });
    await expect(card).toHaveAttribute('href', `/category/${categoryId}`);
    await expect(card.locator('[data-letter]')).toHaveCount(2);
    await expectNoBarrier(page);
  });

  test('usa emoji e nomes longos sem que nada transborde', async ({ page, account }) => {
    await signIn(page, account);
    await createFolder(page, '📚 Anticonstitucionalissimamente organizada aqui');
    const { categoryId } = await fillLibrary(account, { category: '🦉' });
    await page.goto(`/category/${categoryId}`);
    await createLink(page, { url: 'https://example.com/emoji', title: '👩🏽‍💻 '.repeat(8).trim() });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
