import { randomUUID } from 'node:crypto';
import { findLink, waitForMail } from '@linkoteca/server-process/read-mails';
import {
  createCategory,
  createFolder,
  createLink,
  dialog,
  fillLogin,
  linkCard,
  newFolderButton,
  notice,
  searchBox,
  shelf,
  signIn,
} from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { shareWith } from './support/share-with.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem chega pela primeira vez', () => {
  test('convidado por alguém, acha logo o que compartilharam com ele', async ({ page, account, server }) => {
    await shareWith(server, account.email, 'Receitas');
    await signIn(page, account);
    const shared = page.getByRole('region', { name: 'Compartilhados com você' });
    await expect(shared.getByText('Por: Dona Clara')).toBeVisible();
    await expect(page.getByLabel('Cole seu primeiro link')).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await shared.getByRole('link', { name: /^Receitas/ }).click();
    await expect(page.getByText('Compartilhado por: Dona Clara')).toBeVisible();
    await expect(linkCard(page, 'Maçã')).toBeVisible();
  });

  test('com um endereço que compartilhou antes de ter conta: um formulário, um email, e ele está salvo', async ({
    page,
    server,
  }) => {
    const person = { email: `rita-${randomUUID()}@example.com`, password: 'minha senha boa' };
    await page.goto('/share-target?url=https%3A%2F%2Fexample.com%2Fartigo&title=Um%20artigo');
    await page.getByRole('link', { name: 'Criar conta' }).click();
    await page.getByLabel('Nome', { exact: true }).fill('Rita Lima');
    await page.getByLabel(/^e-?mail$/i).fill(person.email);
    await page.getByLabel('Senha', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByLabel(/^e-?mail$/i)).toHaveValue(person.email);

    const mail = await waitForMail(server.dataFolder, person.email);
    await page.goto(findLink(mail, '/auth/v1/verify'));
    const form = dialog(page, 'Adicionar Link');
    await expect(form.getByLabel('URL')).toHaveValue('https://example.com/artigo');
    await expect(form.getByLabel('Título')).toHaveValue('Um artigo');
    await expect(form.getByLabel('Categoria')).toHaveValue('Minha biblioteca / Geral');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Em Minha biblioteca / Geral')).toBeVisible();
    await expect(shelf(page, 'Minha biblioteca')).toBeVisible();
  });

  test('cola um link na página inicial: um formulário, um email, e ele está salvo', async ({
    page,
    server,
  }) => {
    const person = { email: `nina-${randomUUID()}@example.com`, password: 'minha senha boa' };
    await page.goto('/');
    await page.getByLabel('Cole seu primeiro link').fill('https://example.com/receita?x=1&y=2');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Seu link de example.com está guardado.')).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await page.getByLabel('Nome', { exact: true }).fill('Nina Reis');
    await page.getByLabel(/^e-?mail$/i).fill(person.email);
    await page.getByLabel('Senha', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await expect(page).toHaveURL(/\/login/);

    const mail = await waitForMail(server.dataFolder, person.email);
    await page.goto(findLink(mail, '/auth/v1/verify'));
    const form = dialog(page, 'Adicionar Link');
    await expect(form.getByLabel('URL')).toHaveValue('https://example.com/receita?x=1&y=2');
    await form.getByLabel('Título').fill('Uma receita');
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Em Minha biblioteca / Geral')).toBeVisible();
    await expect(page.getByText('Uma receita').first()).toBeVisible();
  });

  test('vê o formulário antes de o programa chegar, e o que digitou e enviou nele vale', async ({
    page,
    account,
  }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await fillLogin(page, account);
    await page.keyboard.press('Enter');
    await expectNoBarrier(page, THEMES);
    expect(new URL(page.url()).search).toBe('');
    release();
    await expect(page.getByRole('button', { name: 'Nova Pasta' }).first()).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: /^Olá/ })).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: /^Olá/ })).toBeVisible();
  });

  test('cria a conta, confirma pelo email, guarda links e os reencontra depois de reiniciar tudo', async ({
    page,
    server,
  }) => {
    const person = { email: `joana-${randomUUID()}@example.com`, password: 'minha senha boa' };

    await test.step('cria a conta e lê que precisa confirmar o email', async () => {
      await page.goto('/signup');
      await page.getByLabel('Nome', { exact: true }).fill('Joana Prado');
      await page.getByLabel(/^e-?mail$/i).fill(person.email);
      await page.getByLabel('Senha', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: /criar (minha )?conta/i }).click();
      await expect(page).toHaveURL(/\/login/);
      await expect(page.getByText('Verifique seu email para confirmar sua conta').first()).toBeVisible();
    });

    await test.step('não entra antes de confirmar', async () => {
      await fillLogin(page, person);
      await expect(notice(page, 'Erro no login')).toBeVisible();
      await expect(page).toHaveURL(/\/login/);
    });

    await test.step('abre o link que chegou por email', async () => {
      const mail = await waitForMail(server.dataFolder, person.email);
      await page.goto(findLink(mail, '/auth/v1/verify'));
      await expect(page).toHaveURL(`${server.url}/dashboard`);
      await expect(newFolderButton(page)).toBeVisible();
    });

    await test.step('entra', async () => {
      await page.context().clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.goto('/login');
      await fillLogin(page, person);
      await expect(page).toHaveURL(/\/dashboard$/);
      await expect(page.getByText('Nenhuma pasta ainda')).toBeVisible();
    });

    await test.step('cria uma pasta, uma categoria e três links', async () => {
      await createFolder(page, 'Culinária');
      await expect(notice(page, 'Pasta criada com sucesso')).toBeVisible();
      await createCategory(page, 'Culinária', 'Pães', 'fermentação natural');
      await expect(notice(page, 'Categoria criada com sucesso')).toBeVisible();
      await shelf(page, 'Pães').click();
      await expect(page).toHaveURL(/\/category\//);
      await expect(page.getByText('Nenhum link encontrado nesta categoria')).toBeVisible();
      await createLink(page, { url: 'https://example.com/pao', title: 'Pão de fermentação lenta' });
      await expect(notice(page, 'Link salvo com sucesso').first()).toBeVisible();
      await createLink(page, { url: 'https://example.com/broa', title: 'Broa de milho' });
      await createLink(page, {
        url: 'https://example.com/forno',
        title: 'Forno à lenha',
        description: 'como construir',
      });
    });

    await test.step('acha um link por um pedaço do título, sem os acentos', async () => {
      await searchBox(page).fill('fermentacao len');
      await expect(page.getByText('Resultados da busca')).toBeVisible();
      const result = page.getByRole('option', { name: /Pão de fermentação lenta/ });
      await expect(result).toBeVisible();
      await expect(page.getByRole('option')).toHaveCount(1);
      await searchBox(page).press('Escape');
    });

    const expectEverything = async () => {
      for (const title of ['Pão de fermentação lenta', 'Broa de milho', 'Forno à lenha']) {
        await expect(page.getByText(title).first()).toBeVisible();
      }
      await expect(shelf(page, 'Culinária')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Pães' })).toBeVisible();
    };

    await test.step('recarrega a página e está tudo lá', async () => {
      await page.reload();
      await expectEverything();
    });

    await test.step('o servidor reinicia e está tudo lá', async () => {
      await server.restart();
      await page.reload();
      await expectEverything();
      await page.goto('/dashboard');
      await expect(newFolderButton(page)).toBeVisible();
      await expect(page.getByText('Pães').first()).toBeVisible();
    });
  });
});
