import { waitForMail } from '@linkoteca/server-process/read-mails';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { fillLogin, newFolderButton, notice, signInByForm, signOut } from './support/actions.ts';
import { appoint } from './support/appoint.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { expect, test } from './support/test.ts';

const CODE = 'Código do aplicativo autenticador';

/** The code that an app shows now, or half a minute from now: each is good once. */
function codeOf(secret: string, steps: 0 | 1): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Adds an app by the screens. @returns its secret, as it stands there to be typed, and the recovery codes */
async function addApp(page: Page): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  await page.goto('/profile?tab=security');
  await page.getByRole('button', { name: 'Ligar com um aplicativo' }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('img', { name: /Código QR/ })).toBeVisible();
  await expectNoBarrier(page);
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Código que o aplicativo mostra').fill(codeOf(secret, 0));
  await page.getByRole('button', { name: 'Ligar', exact: true }).click();
  await expect(notice(page, 'Verificação em duas etapas ligada')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Guarde estes códigos' })).toBeVisible();
  await expectNoBarrier(page);
  const codes = await page.getByRole('dialog').getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'Copiar' }).click();
  await page.getByRole('button', { name: 'Já guardei' }).click();
  await expect(page.getByText('Celular', { exact: true })).toBeVisible();
  return { secret, codes };
}

test.describe('Quem liga a verificação em duas etapas', () => {
  test('entra com a senha e o código, volta para a página que queria, e a desliga', async ({
    page,
    account,
    openElsewhere,
  }) => {
    await signInByForm(page, account);
    const elsewhere = await openElsewhere();
    await signInByForm(elsewhere, account);
    const { secret } = await addApp(page);
    // Whoever was inside by the password alone is not any more.
    await expect(elsewhere).toHaveURL(/\/login/);

    await signOut(page);
    await expect(page).toHaveURL(/\/login/);
    await page.goto('/profile?tab=security');
    await fillLogin(page, account);
    await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
    await expectNoBarrier(page);
    // Its address alone opens nothing.
    await page.goto('/dashboard');
    await expect(page.getByLabel(CODE)).toBeFocused();
    await expect(newFolderButton(page)).toBeHidden();
    await page.getByLabel(CODE).fill('000000');
    await expect(page.getByText(/Código incorreto/)).toBeVisible();
    await page.getByLabel(CODE).fill(codeOf(secret, 1));
    await expect(newFolderButton(page)).toBeVisible();

    await page.goto('/profile?tab=security');
    await page.getByRole('button', { name: 'Remover' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
    await expect(page.getByText('Desligada. Sua conta abre só com a senha.')).toBeVisible();
    await signOut(page);
    await expect(page).toHaveURL(/\/login/);
    await signInByForm(page, account);
  });

  test('e perde o celular entra com um código que guardou, que não vale de novo', async ({
    page,
    account,
  }) => {
    await signInByForm(page, account);
    const { codes } = await addApp(page);
    for (const [code, words] of [
      [codes[0], 'Restam 9 de 10. Cada um vale uma vez.'],
      [codes[1], 'Restam 8 de 10. Cada um vale uma vez.'],
    ] as const) {
      await signOut(page);
      await expect(page).toHaveURL(/\/login/);
      await page.goto('/profile?tab=security');
      await fillLogin(page, account);
      await page.getByRole('button', { name: 'Usar um código de recuperação' }).click();
      await expectNoBarrier(page);
      if (code !== codes[0]) {
        await page.getByLabel('Código de recuperação').fill(codes[0] ?? '');
        await page.keyboard.press('Enter');
        await expect(page.getByText('Código incorreto ou já usado. Tente outro.')).toBeVisible();
      }
      await page.getByLabel('Código de recuperação').fill(code?.toUpperCase() ?? '');
      await page.keyboard.press('Enter');
      await expect(page.getByText(words)).toBeVisible();
    }
  });

  test('e perde tudo pede para desligá-la, lê até quando espera, e é avisado por e-mail', async ({
    page,
    account,
    server,
  }) => {
    await signInByForm(page, account);
    await addApp(page);
    await signOut(page);
    await expect(page).toHaveURL(/\/login/);
    await fillLogin(page, account);
    await page.getByRole('button', { name: 'Não tenho mais o celular nem os códigos' }).click();
    await page.getByRole('button', { name: 'Pedir para desligar' }).click();
    await expect(page.getByText(/^Pedido feito\. Volte a partir de /)).toBeVisible();
    await expectNoBarrier(page);
    const mail = await waitForMail(server.dataFolder, account.email, 2);
    expect(mail.subject).toBe('Pediram para desligar sua verificação em duas etapas');
    await page.reload();
    await page.getByRole('button', { name: 'Não tenho mais o celular nem os códigos' }).click();
    await page.getByRole('button', { name: 'Cancelar pedido' }).click();
    await expect(page.getByRole('button', { name: 'Pedir para desligar' })).toBeVisible();
  });

  test('administra só depois do código', async ({ page, account, server }) => {
    expect(await appoint(server, account)).toContain('/profile?tab=security');
    await signInByForm(page, account);
    const { secret } = await addApp(page);
    expect(await appoint(server, account)).not.toContain('tab=security');
    await signOut(page);
    await expect(page).toHaveURL(/\/login/);
    await fillLogin(page, account);
    await expect(page.getByLabel(CODE)).toBeVisible();
    await page.goto('/diane');
    await expect(page.getByLabel(CODE)).toBeVisible();
    await page.getByLabel(CODE).fill(codeOf(secret, 1));
    await expect(page.getByRole('heading', { name: 'Painel de Administração' })).toBeVisible();
  });
});
