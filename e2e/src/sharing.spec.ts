import type { Page } from '@playwright/test';
import { dialog, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

const SHARING = 'Compartilhar categoria';
const SAVED = 'Configurações de compartilhamento salvas';

async function openSharing(page: Page) {
  await page.getByRole('button', { name: 'Compartilhar', exact: true }).click();
  const form = dialog(page, SHARING);
  await expect(form.getByRole('radio', { name: 'Privada' })).toBeVisible();
  return form;
}

test.describe('Quem compartilha uma categoria', () => {
  test('por link vê e copia o endereço, e por e-mail convida vários; outro navegador seu acompanha sem recarregar', async ({
    page,
    openElsewhere,
    account,
    server,
  }) => {
    await subscribe(server, account, 'plus');
    const { categoryId } = await fillLibrary(account, { category: 'Receitas', links: ['Pão'] });
    const path = `/category/${categoryId}`;
    await signIn(page, account, path);
    const other = await openElsewhere();
    await signIn(other, account, path);
    await expect(other.getByRole('article')).toBeVisible();

    const form = await openSharing(page);
    await form.getByRole('radio', { name: 'Pública, por link' }).check();
    await form.getByRole('button', { name: 'Salvar' }).click();
    await expect(page.getByText(SAVED)).toBeVisible();
    await expect(form).toBeHidden();
    await page.getByRole('button', { name: 'Copiar link' }).click();
    await expect(page.getByText('Link copiado para a área de transferência')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(new RegExp(`^${server.url}/shared/receitas-[\\w-]{22}$`));
    await expect(page.getByRole('link', { name: copied.replace('http://', '') })).toHaveAttribute(
      'href',
      copied,
    );
    // The address of the specification opens the same page.
    const visitor = await openElsewhere();
    for (const address of [copied, `${server.url}/shared/${categoryId}`]) {
      await visitor.goto(address);
      await expect(visitor.getByRole('heading', { level: 1, name: 'Receitas' })).toBeVisible();
    }
    await expect(other.getByText('Pública', { exact: true })).toBeVisible();

    const again = await openSharing(page);
    await again.getByRole('radio', { name: 'Restrita, somente e-mails' }).check();
    await again.getByLabel('Convidar por e-mail').fill('Bia@Example.com, caio@example.com,');
    await expect(again.getByRole('listitem')).toHaveText([/^bia@example\.com/, /^caio@example\.com/]);
    await again.getByLabel('Convidar por e-mail').fill('sem arroba,');
    await expect(again.getByText('Por favor, insira um email válido')).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await again.getByLabel('Convidar por e-mail').press('Backspace');
    await again.getByLabel('Convidar por e-mail').press('Backspace');
    await again.getByLabel('Convidar por e-mail').press('Enter');
    await again.getByRole('button', { name: 'Enviar 2 convites' }).click();
    await expect(again).toBeHidden();
    for (const screen of [page, other]) {
      await expect(screen.getByText('Compartilhamento Restrito')).toBeVisible();
      await expect(shelf(screen, 'Receitas')).toHaveAccessibleDescription(/compartilhada com e-mails/);
      await expect(screen.getByText('Pública', { exact: true })).toBeHidden();
    }
    const third = await openSharing(other);
    await third.getByRole('button', { name: 'Remover bia@example.com' }).click();
    await third.getByRole('button', { name: 'Remover caio@example.com' }).click();
    await third.getByRole('radio', { name: 'Privada' }).check();
    await third.getByRole('button', { name: 'Salvar' }).click();
    await expect(other.getByText('Compartilhamento removido com sucesso')).toBeVisible();
    await expect(page.getByText('Compartilhamento Restrito')).toBeHidden();
  });

  test('em dois toques torna pública, e o endereço copiado abre para quem não tem conta', async ({
    page,
    openElsewhere,
    account,
    server,
  }) => {
    await subscribe(server, account, 'plus');
    const { categoryId } = await fillLibrary(account, { category: 'Receitas da vovó', links: ['Pão'] });
    await signIn(page, account, `/category/${categoryId}`);
    await page.getByRole('button', { name: 'Mais formas de compartilhar' }).click();
    const publish = page.getByRole('menuitem', { name: 'Tornar pública e copiar o endereço' });
    await expect(publish).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await publish.click();
    const published = page.getByText('Categoria pública, e o endereço está copiado');
    await expect(published).toBeVisible();
    // Offered for ten seconds.
    const takenBack = page.waitForResponse(/save_sharing/);
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await takenBack;
    await expect(page.getByText('Pública', { exact: true })).toBeHidden();
    await expect(published).toBeHidden();

    await page.getByRole('button', { name: 'Mais formas de compartilhar' }).click();
    await publish.click();
    await expect(published).toBeVisible();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect(address).toMatch(new RegExp(`^${server.url}/shared/receitas-da-vovo-`));
    const visitor = await openElsewhere();
    await visitor.goto(address);
    await expect(visitor.getByRole('heading', { level: 1, name: 'Receitas da vovó' })).toBeVisible();
    await page.getByRole('button', { name: 'Mais formas de compartilhar' }).click();
    await page.getByRole('menuitem', { name: 'Mostrar código QR' }).click();
    await expect(page.getByRole('img', { name: `Código QR: ${address}` })).toBeVisible();
    await expectNoBarrier(page, THEMES);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Baixar imagem' }).click();
    expect((await saved).suggestedFilename()).toBe('Receitas da vovó.png');
  });

  test('precisa de um plano para isso: o Free recebe o caminho até os planos', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account);
    await signIn(page, account, `/category/${categoryId}`);
    await page.getByRole('button', { name: 'Compartilhar', exact: true }).click();
    await expect(page.getByText('Recurso indisponível')).toBeVisible();
    await expect(dialog(page, SHARING)).toBeHidden();
    await page.getByRole('button', { name: 'Upgrade' }).click();
    await expect(page).toHaveURL(/\/plans$/);
  });
});
