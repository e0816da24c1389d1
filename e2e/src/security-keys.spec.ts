import type { CDPSession, Page } from '@playwright/test';
import { fillLogin, newFolderButton, notice, signInByForm, signOut } from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { type RunningServer, runServer } from './support/run-server.ts';
import { test as base, expect } from './support/test.ts';

/** Keys are for a host with a name: no browser makes one for an address of numbers. */
const test = base.extend<object, { server: RunningServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const server = await runServer({ environment: async (url) => ({ SITE_URL: nameHost(url) }) });
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ server }, use) => use(nameHost(server.url)),
});

function nameHost(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

/** A device that unlocks itself with a finger. @returns how to say whether the finger is its owner's from now on */
async function plugInDevice(page: Page) {
  const browser: CDPSession = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (isOwner: boolean) =>
    browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isOwner });
}

test('Quem adiciona a biometria do aparelho entra com ela, e ninguém mais, até removê-la', async ({
  page,
  account,
}) => {
  const touch = await plugInDevice(page);
  await signInByForm(page, account);
  await page.goto('/profile?tab=security');
  await page.getByRole('button', { name: 'Adicionar chave de acesso ou biometria' }).click();
  await expectNoBarrier(page);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(notice(page, 'Verificação em duas etapas ligada')).toBeVisible();
  await page.getByRole('button', { name: 'Copiar' }).click();
  await page.getByRole('button', { name: 'Já guardei' }).click();
  await expect(page.getByText('Este aparelho', { exact: true })).toBeVisible();

  // The same device once more: the browser knows that it is there.
  await page.getByRole('button', { name: 'Adicionar chave de acesso ou biometria' }).click();
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
