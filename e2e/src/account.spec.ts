import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import { dialog, notice, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { type Account, openAccount } from './support/open-account.ts';
import type { RunningServer } from './support/run-server.ts';
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

  test('põe uma foto, que só ela vê, troca por outra e remove: nada sobra das anteriores', async ({
    page,
    account,
    server,
  }) => {
    const photo = {
      name: 'foto.png',
      mimeType: 'image/png',
      buffer: await readFile(join(PROJECT_FOLDER, 'docs/images/category-light.png')),
    };
    const files = filesOf(server, account);
    await signIn(page, account, '/profile');
    const input = page.getByLabel('Adicionar foto');
    const inMenu = page.getByRole('button', { name: openAccountMenu }).locator('img');
    const adjust = dialog(page, 'Ajustar foto');

    await test.step('um desenho é recusado em palavras', async () => {
      await input.setInputFiles({
        name: 'foto.png',
        mimeType: 'image/png',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      });
      await expect(page.getByRole('alert')).toHaveText(/SVG é um desenho, não uma foto/);
    });

    await test.step('recorta pelo teclado e salva com Enter', async () => {
      await input.setInputFiles(photo);
      await adjust.getByRole('application', { name: 'Recorte da foto' }).focus();
      await page.keyboard.press('+');
      await page.keyboard.press('ArrowRight');
      await expectNoBarrier(page, THEMES);
      await adjust.getByRole('button', { name: 'Salvar' }).click();
      await expect(notice(page, 'Foto atualizada')).toBeVisible();
      await expect(inMenu).toHaveJSProperty('naturalWidth', 256);
      await expect(inMenu).toHaveJSProperty('naturalHeight', 256);
    });

    const [first = ''] = await files.list();
    await test.step('é um WebP pequeno na pasta da pessoa, que ninguém mais lê', async () => {
      const own = await files.read(first);
      expect([own.status, own.text.slice(0, 4), own.text.slice(8, 12)]).toEqual([200, 'RIFF', 'WEBP']);
      expect(own.text.length).toBeLessThan(60_000);
      const stranger = await filesOf(server, account, await openAccount(server)).read(first);
      expect(stranger.status).toBe(400);
      const visitor = await fetch(
        `${server.url}/storage/v1/object/public/arquivos/${account.id}/avatar/${first}`,
      );
      expect(visitor.status).toBe(400);
    });

    await test.step('arrasta, com o dedo ou o mouse, e troca: os bytes da anterior somem', async () => {
      await input.setInputFiles(photo);
      const area = await adjust.getByRole('application').boundingBox();
      if (!area) throw new Error('the picture is not there');
      await page.mouse.move(area.x + 200, area.y + 100);
      await page.mouse.down();
      await page.mouse.move(area.x + 80, area.y + 100, { steps: 4 });
      await page.mouse.up();
      await adjust.getByRole('button', { name: 'Salvar' }).click();
      await expect(adjust).toBeHidden();
      await expect.poll(async () => (await files.list()).length).toBe(1);
      expect(await files.list()).not.toContain(first);
      expect((await files.read(first)).status).toBe(400);
    });

    await test.step('continua depois de recarregar, e some quando é removida', async () => {
      await page.reload();
      await expect(inMenu).toHaveJSProperty('naturalWidth', 256);
      await page.getByRole('button', { name: 'Remover foto' }).click();
      await expect(notice(page, 'Foto removida')).toBeVisible();
      await expect(inMenu).toHaveCount(0);
      await expect.poll(files.list).toEqual([]);
    });
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

/** The pictures in an account's folder, as somebody finds them: the account itself unless another is given. */
function filesOf(server: RunningServer, account: Account, reader = account) {
  const { access_token } = reader.session as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const storage = `${server.url}/storage/v1/object`;
  return {
    list: async (): Promise<readonly string[]> => {
      const body = JSON.stringify({ prefix: `${account.id}/avatar`, limit: 100, offset: 0 });
      const answer = await fetch(`${storage}/list/arquivos`, { method: 'POST', headers, body });
      return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
    },
    read: async (name: string) => {
      const answer = await fetch(`${storage}/authenticated/arquivos/${account.id}/avatar/${name}`, {
        headers,
      });
      return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
    },
  };
}
