import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillLogin, newFolderButton, notice, signInByForm, signOut } from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { test } from './support/key-test.ts';
import type { RunningServer } from './support/run-server.ts';
import { expect } from './support/test.ts';

/** The codes that were texted to a number, oldest first. */
async function readCodes({ dataFolder }: RunningServer, number: string): Promise<readonly string[]> {
  const folder = join(dataFolder, 'mail');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sms')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .map((text) => JSON.parse(text) as { to: string; text: string })
    .filter(({ to }) => to === number)
    .map(({ text }) => /\d{6}/.exec(text)?.[0] ?? '');
}

test('Quem adiciona o telefone entra com o código que chega nele', async ({ page, account, namedServer }) => {
  const number = `55119${String(Date.now()).slice(-8)}`;
  await signInByForm(page, account);
  await page.goto('/profile?tab=security');
  await page.getByRole('button', { name: 'Adicionar telefone' }).click();
  await page.getByLabel('Número, com DDD').fill(`(11) 9${number.slice(5, 9)}-${number.slice(9)}`);
  await page.getByRole('button', { name: 'Enviar código', exact: true }).click();
  const code = page.getByLabel('Código que você recebeu');
  await expect(code).toBeVisible();
  await expectNoBarrier(page);
  await code.fill((await readCodes(namedServer, number))[0] ?? '');
  await page.getByRole('button', { name: 'Ligar', exact: true }).click();
  await expect(notice(page, 'Verificação em duas etapas ligada')).toBeVisible();
  await page.getByRole('button', { name: 'Copiar' }).click();
  await page.getByRole('button', { name: 'Já guardei' }).click();

  await signOut(page);
  await fillLogin(page, account);
  await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
  await page.getByRole('button', { name: 'Enviar código', exact: true }).click();
  await expect(code).toBeVisible();
  await expectNoBarrier(page);
  const [used = '', fresh = ''] = await readCodes(namedServer, number);
  await code.fill(used === fresh ? '000000' : used);
  await page.getByRole('button', { name: 'Confirmar', exact: true }).click();
  await expect(page.getByText('Código incorreto ou já usado. Confira, ou peça outro.')).toBeVisible();
  await code.fill(fresh);
  await page.getByRole('button', { name: 'Confirmar', exact: true }).click();
  await expect(newFolderButton(page)).toBeVisible();
});
