import { findLink, waitForMail } from '@linkoteca/server-process/read-mails';
import { fillLogin, newFolderButton, notice, signInByForm, signOut } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem já tem conta', () => {
  test('lê que o email ou a senha estão incorretos, e tenta de novo', async ({ page, account }) => {
    await page.goto('/login');
    await fillLogin(page, { email: account.email, password: 'não é esta' });
    await expect(notice(page, 'Erro no login')).toBeVisible();
    await expect(notice(page, 'Email ou senha incorretos.')).toBeVisible();
    await fillLogin(page, account);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(notice(page, 'Login realizado com sucesso!')).toBeVisible();
  });

  test('é levado ao login quando ainda não entrou e volta para a página que queria', async ({
    page,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Relatividade'] });
    await page.goto(`/category/${categoryId}`);
    await expect(page).toHaveURL(/\/login/);
    await fillLogin(page, account);
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}$`));
    await expect(page.getByText('Relatividade').first()).toBeVisible();
  });

  test('continua dentro depois de recarregar, e a página inicial o leva ao painel', async ({
    page,
    account,
  }) => {
    await signInByForm(page, account);
    await page.reload();
    await expect(newFolderButton(page)).toBeVisible();
    await page.goto('/');
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('sai da conta, e a página anterior não abre mais', async ({ page, account }) => {
    await signInByForm(page, account);
    await signOut(page);
    await expect(page).toHaveURL(/\/login/);
    await expect(notice(page, 'Logout realizado')).toBeVisible();
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/login/);
  });

  test('entra pelo navegador de sempre, mesmo depois que estranhos erraram a senha dez vezes', async ({
    page,
    account,
    server,
  }) => {
    await signInByForm(page, account);
    await signOut(page);
    await expect(page).toHaveURL(/\/login/);
    const guess = (password: string) =>
      fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: account.email, password }),
      });
    await Promise.all(Array.from({ length: 10 }, (_, at) => guess(`palpite ${at}`)));
    expect((await guess(account.password)).status).toBe(429);
    await fillLogin(page, account);
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('sai em uma aba e a outra também sai', async ({ page, context, account }) => {
    await signInByForm(page, account);
    const otherTab = await context.newPage();
    await otherTab.goto('/dashboard');
    await expect(newFolderButton(otherTab)).toBeVisible();
    await signOut(page);
    await expect(page).toHaveURL(/\/login/);
    await expect(otherTab).toHaveURL(/\/login/);
  });

  test('esqueceu a senha, recebe o email e escolhe outra, em outro navegador', async ({
    page,
    account,
    server,
    browser,
  }) => {
    await page.goto('/reset-password');
    await page.getByLabel(/^e-?mail$/i).fill(account.email);
    await page.getByRole('button', { name: 'Enviar link' }).click();
    await expect(page.getByText('Email enviado!')).toBeVisible();

    const mail = await waitForMail(server.dataFolder, account.email, 2);
    const link = findLink(mail, '/change-password');
    // As a mail scanner does.
    await page.request.get(link);
    const elsewhere = await browser.newContext();
    const phone = await elsewhere.newPage();
    await phone.goto(link);
    await phone.getByLabel('Nova senha', { exact: true }).fill('outra senha');
    await phone.getByLabel('Confirme a nova senha').fill('diferente');
    await phone.getByRole('button', { name: 'Salvar nova senha' }).click();
    await expect(phone.getByText('As senhas não coincidem.')).toBeVisible();
    await phone.getByLabel('Confirme a nova senha').fill('outra senha');
    await phone.getByRole('button', { name: 'Salvar nova senha' }).click();
    await expect(phone).toHaveURL(/\/dashboard$/);
    await elsewhere.close();
  });

  test('não muda a senha sem ter entrado', async ({ page }) => {
    await page.goto('/change-password');
    await expect(page).toHaveURL(/\/login/);
  });

  test('em um endereço que não existe lê que a página não foi encontrada', async ({ page }) => {
    await page.goto('/caminho/que/nao/existe');
    await expect(page.getByText(/não encontrada/i).first()).toBeVisible();
  });
});
