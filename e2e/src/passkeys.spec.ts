import type { Page } from '@playwright/test';
import { newFolderButton, notice, signInByForm, signOut } from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { plugInDevice, test } from './support/key-test.ts';
import { expect } from './support/test.ts';

test('Quem guarda uma chave de acesso entra sem senha e sem digitar nada, até removê-la', async ({
  page,
  account,
}) => {
  // The device answers whatever asks it, the page's quiet offer included: here only the press asks.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  const touch = await plugInDevice(page);
  await signInByForm(page, account);
  await addKey(page, 'Meu notebook');

  // Nobody's finger but the owner's.
  await touch(false);
  await signOut(page);
  await expect(page).toHaveURL(/\/login/);
  await expectNoBarrier(page);
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click();
  await expect(page.getByText('O navegador não recebeu a confirmação. Tente de novo.')).toBeVisible();
  await expect(newFolderButton(page)).toBeHidden();
  await touch(true);
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click();
  await expect(newFolderButton(page)).toBeVisible();

  await page.goto('/profile?tab=security');
  await expect(page.getByText(/, usada em /)).toBeVisible();
  await page.getByRole('button', { name: 'Remover' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expect(page.getByText('Nenhuma ainda.')).toBeVisible();
  await signOut(page);
  await page.getByRole('button', { name: 'Entrar com uma chave de acesso' }).click();
  await expect(page.getByText('Essa chave não abre nenhuma conta aqui. Entre com a senha.')).toBeVisible();
  await expect(newFolderButton(page)).toBeHidden();
});

test('Quem tem uma chave de acesso a escolhe no campo do e-mail, sem apertar nada', async ({
  page,
  account,
}) => {
  const touch = await plugInDevice(page);
  await signInByForm(page, account);
  await addKey(page, 'Meu celular');

  await touch(false);
  await signOut(page);
  await expect(page.getByRole('button', { name: 'Entrar com uma chave de acesso' })).toBeEnabled();
  await expect(newFolderButton(page)).toBeHidden();
  await touch(true);
  await page.reload();
  await expect(newFolderButton(page)).toBeVisible();
});

test('Quem aperta o botão enquanto seu código ainda chega é atendido', async ({ page }) => {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => true;
    navigator.credentials.get = (options) => {
      document.documentElement.dataset['asked'] = options?.mediation ?? 'press';
      return new Promise(() => undefined);
    };
  });
  let letCodeCome = () => {};
  const held = new Promise<void>((resolve) => {
    letCodeCome = resolve;
  });
  await page.route('**/assets/passkey-question-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/login');
  const button = page.locator('#root').getByRole('button', { name: 'Entrar com uma chave de acesso' });
  await button.hover();
  await page.mouse.down();
  letCodeCome();
  // The code's first act is to offer keys where the address is typed.
  await expect(page.locator('html[data-asked=conditional]')).toBeAttached();
  await page.mouse.up();
  await expect(page.locator('html[data-asked=press]')).toBeAttached();
});

test('Quem aperta o botão cujo código não pôde vir lê isso, e aperta de novo', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.credentials.get = (options) => {
      document.documentElement.dataset['asked'] = options?.mediation ?? 'press';
      return new Promise(() => undefined);
    };
  });
  const code = '**/assets/passkey-question-*.js';
  await page.route(code, (route) => route.abort());
  await page.goto('/login');
  const button = page.locator('#root').getByRole('button', { name: 'Entrar com uma chave de acesso' });
  await button.click();
  await expect(notice(page, 'Não foi possível abrir esta parte')).toBeVisible();
  await expect(button).toBeEnabled();
  await page.unroute(code);
  await button.click();
  await expect(page.locator('html[data-asked=press]')).toBeAttached();
});

async function addKey(page: Page, name: string): Promise<void> {
  await page.goto('/profile?tab=security');
  await page.getByRole('button', { name: 'Adicionar chave de acesso' }).click();
  await expectNoBarrier(page);
  await page.getByLabel('Nome, para você reconhecer').fill(name);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(notice(page, 'Chave de acesso adicionada')).toBeVisible();
  await expect(page.getByText(name, { exact: true })).toBeVisible();
}
