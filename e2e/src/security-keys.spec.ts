import { fillLogin, newFolderButton, notice, signInByForm, signOut } from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { plugInDevice, test } from './support/key-test.ts';
import { expect } from './support/test.ts';

test('Quem adiciona a biometria do aparelho entra com ela, e ninguém mais, até removê-la', async ({
  page,
  account,
}) => {
  const touch = await plugInDevice(page);
  await signInByForm(page, account);
  await page.goto('/profile?tab=security');
  await page.getByRole('button', { name: 'Adicionar chave de segurança ou biometria' }).click();
  await expectNoBarrier(page);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(notice(page, 'Verificação em duas etapas ligada')).toBeVisible();
  await page.getByRole('button', { name: 'Copiar' }).click();
  await page.getByRole('button', { name: 'Já guardei' }).click();
  await expect(page.getByText('Este aparelho', { exact: true })).toBeVisible();

  // The same device once more: the browser knows that it is there.
  await page.getByRole('button', { name: 'Adicionar chave de segurança ou biometria' }).click();
  await page.getByLabel('Nome, para você reconhecer').fill('De novo');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByText('Essa chave já está na sua conta.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancelar' }).click();

  await signOut(page);
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, account);
  await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
  await expectNoBarrier(page);
  await touch(false);
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('O navegador não recebeu a confirmação. Tente de novo.')).toBeVisible();
  await expect(newFolderButton(page)).toBeHidden();
  await touch(true);
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(newFolderButton(page)).toBeVisible();

  await page.goto('/profile?tab=security');
  await page.getByRole('button', { name: 'Remover' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
  await expect(page.getByText('Desligada. Sua conta abre só com a senha.')).toBeVisible();
});
