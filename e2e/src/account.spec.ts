import { notice, signIn } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const openAccountMenu = 'Abrir menu da conta';

test.describe('Quem cuida da própria conta', () => {
  test('vê no menu quem é, quanto usa e para onde ir', async ({ page, account }) => {
    await fillLibrary(account, { links: ['Um', 'Dois', 'Três'] });
    await signIn(page, account);
    await page.getByRole('button', { name: openAccountMenu }).click();
    const menu = page.getByRole('dialog', { name: 'Conta' });
    await expect(menu.getByText(account.name)).toBeVisible();
    await expect(menu.getByText(account.email)).toBeVisible();
    await expect(menu.getByRole('link', { name: 'Upgrade' })).toBeVisible();
    await expect(menu).toContainText(/3\s*\/\s*20/);
    await expect(menu.getByText('Idioma')).toBeVisible();
    await expect(menu.getByText('Português')).toBeVisible();
    await menu.getByRole('link', { name: 'Perfil' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  test('abre a assinatura no menu e lê o seu plano', async ({ page, account }) => {
    await signIn(page, account);
    await page.getByRole('button', { name: openAccountMenu }).click();
    await page.getByRole('button', { name: /Assinatura/ }).click();
    const settings = page.getByRole('dialog', { name: 'Configurações da Conta' });
    await expect(settings.getByRole('tab', { name: 'Segurança' })).toBeVisible();
    await expect(settings.getByRole('tab', { name: 'Faturamento' })).toHaveAttribute('aria-selected', 'true');
    await expect(settings.getByText('Faturamento e Assinatura')).toBeVisible();
    await settings.getByRole('link', { name: 'Ver planos pagos' }).click();
    await expect(page).toHaveURL(/\/plans$/);
    await expect(page.getByText('US$ 1,99')).toBeVisible();
    await expect(page.getByText(/US\$ 39,90/)).toBeVisible();
  });

  test('chega ao faturamento pelo endereço', async ({ page, account }) => {
    await signIn(page, account, '/profile?tab=billing');
    await expect(page.getByRole('tab', { name: 'Faturamento' })).toHaveAttribute('aria-selected', 'true');
  });

  test('muda o nome, que aparece em toda parte, e não consegue mudar o email', async ({ page, account }) => {
    await signIn(page, account, '/profile');
    await expect(page.getByLabel('E-mail')).not.toBeEditable();
    await expect(page.getByText('O email não pode ser alterado')).toBeVisible();
    await page.getByLabel('Nome', { exact: true }).fill('Beatriz');
    await page.getByLabel('Sobrenome').fill('');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await expect(page.getByText('Sobrenome é obrigatório')).toBeVisible();
    await page.getByLabel('Sobrenome').fill('Nogueira');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await expect(notice(page, 'Perfil atualizado com sucesso!')).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: openAccountMenu }).click();
    await expect(page.getByRole('dialog', { name: 'Conta' }).getByText('Beatriz Nogueira')).toBeVisible();
  });

  test('lê os termos e a privacidade, e vai de um ao outro', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Termos de uso' }).click();
    await expect(page).toHaveURL(/\/terms$/);
    await expect(page.getByText('Última atualização: 11 de maio de 2025')).toBeVisible();
    await expect(page.getByText(/US\$ 1,99 por mês/)).toBeVisible();
    await expect(page.getByText(/12 meses sem uso/)).toBeVisible();
    await expect(page.getByText(/até 14 dias/)).toBeVisible();
    await page.getByRole('link', { name: 'Política de privacidade' }).click();
    await expect(page).toHaveURL(/\/privacy-policy$/);
    await expect(page.getByText(/em até 30 dias/)).toBeVisible();
    await page.getByRole('link', { name: 'Entrar' }).click();
    await expect(page).toHaveURL(/\/login$/);
  });
});
