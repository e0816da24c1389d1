import { fillLogin, notice, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { startProgram } from './support/start-program.ts';
import { expect, test } from './support/test.ts';

const read = async (url: string, token: string): Promise<unknown> =>
  (
    await fetch(`${url}/rest/v1/folders?select=name`, { headers: { authorization: `Bearer ${token}` } })
  ).json();

test.describe('Quem é perguntado por um programa', () => {
  test('entra, lê quem pede o quê, permite, vê o programa no perfil e o desconecta', async ({
    page,
    account,
    server,
  }) => {
    await account.insert('folders', [{ name: 'Trabalho' }]);
    const program = await startProgram(server, 'Leitor <b>de feeds</b>');
    try {
      await page.goto(program.authorizeUrl('email links:read'));
      await expect(page).toHaveURL(/\/login\?from=/);
      await fillLogin(page, account);
      await expect(page).toHaveURL(/\/oauth\/consent\?authorization_id=/);
      await expect(page.getByText('Leitor <b>de feeds</b>')).toBeVisible();
      await expect(page.getByText('Depois você volta a um programa deste computador.')).toBeVisible();
      await expect(page.getByText(`Você está na conta ${account.email}`)).toBeVisible();
      await expectNoBarrier(page, THEMES);
      await page.getByRole('button', { name: 'Permitir' }).click();
      await expect(page.getByRole('heading', { name: 'De volta ao programa' })).toBeVisible();
      expect(program.answer()?.get('state')).toBe('estado');
      const token = await program.exchange();
      expect(await read(server.url, token)).toEqual([{ name: 'Trabalho' }]);

      await page.goto('/profile?tab=programs');
      const row = page.getByRole('listitem').filter({ hasText: 'Leitor <b>de feeds</b>' });
      await expect(row.getByText('Ver seu e-mail')).toBeVisible();
      await expectNoBarrier(page, THEMES);
      await row.getByRole('button', { name: 'Desconectar' }).click();
      await expect(notice(page, 'Programa desconectado')).toBeVisible();
      await expect(page.getByText('Nenhum programa usa sua conta.')).toBeVisible();
      expect(await read(server.url, token)).toEqual([]);
    } finally {
      program.stop();
    }
  });

  test('diz agora não, e o programa fica sabendo', async ({ page, account, server }) => {
    const program = await startProgram(server, 'Leitor');
    try {
      await signIn(page, account);
      await page.goto(program.authorizeUrl('links:write share'));
      await page.getByRole('button', { name: 'Agora não' }).click();
      await expect(page.getByRole('heading', { name: 'De volta ao programa' })).toBeVisible();
      expect(program.answer()?.get('error')).toBe('access_denied');
      await page.goto('/oauth/consent?authorization_id=nada');
      await expect(page.getByRole('heading', { name: 'Este pedido não vale mais' })).toBeVisible();
    } finally {
      program.stop();
    }
  });
});

test.describe('Quem tem uma automação', () => {
  test('cria uma chave, que só é mostrada uma vez, e a revoga', async ({ page, account, server }) => {
    await account.insert('folders', [{ name: 'Trabalho' }]);
    await signIn(page, account, '/profile?tab=programs');
    const keys = page.getByRole('region', { name: 'Chaves pessoais' });
    await keys.getByLabel('Nome').fill('Cópia de casa');
    await keys.getByRole('button', { name: 'Criar chave' }).click();
    const token = await keys.getByLabel('A chave nova').inputValue();
    expect(await read(server.url, token)).toEqual([{ name: 'Trabalho' }]);
    await expectNoBarrier(page, THEMES);
    await page.getByRole('button', { name: 'Já copiei' }).click();
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: 'Cópia de casa' });
    await expect(row.getByText(/Último uso: hoje às/)).toBeVisible();
    await expect(page.getByText(token)).toHaveCount(0);
    await row.getByRole('button', { name: 'Revogar' }).click();
    await expect(notice(page, 'Chave revogada')).toBeVisible();
    expect(await read(server.url, token)).toEqual([]);
  });
});

test('Quem escreve um programa experimenta a API na página dela, que nada vê da conta aberta neste navegador', async ({
  page,
  account,
}) => {
  await account.insert('folders', [{ name: 'Trabalho' }]);
  const { access_token } = account.session as { access_token: string };
  await signIn(page, account);
  await page.goto('/api/v1/try');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByLabel('auth-bearer-value').fill(access_token);
  await page.getByRole('button', { name: 'Apply credentials' }).first().click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button', { name: /^get \/folders$/i }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(page.getByText('"Trabalho"')).toBeVisible();
  const seen = await page.evaluate(() => {
    try {
      return [origin, localStorage.length];
    } catch (refusal) {
      return [origin, (refusal as Error).name];
    }
  });
  expect(seen).toEqual(['null', 'SecurityError']);
});
