import type { Page } from '@playwright/test';
import { dialog, newFolderButton, openLinkForm, searchBox, shelf, signIn } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { findSmallTargets } from './support/find-small-targets.ts';
import { shareWith } from './support/share-with.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

const WAYS = [
  {
    who: 'Quem toca na tela',
    least: 44,
    use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
  { who: 'Quem usa o mouse', least: 32, use: { viewport: { width: 1280, height: 800 } } },
] as const;

for (const { who, least, use } of WAYS) {
  test.describe(who, () => {
    test.use(use);

    /** Looks at a screen that stands still, and names what is too small on it. */
    const look = async (page: Page, screen: string) => {
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.evaluate(() =>
        Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))),
      );
      const small = await findSmallTargets(page, least);
      expect.soft(small, screen).toEqual([]);
    };

    test(`acerta tudo nas páginas de visita: ${least} pixels`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const path of ['/', '/login', '/signup', '/reset-password', '/terms', '/nada']) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await look(page, path);
      }
    });

    test(`acerta tudo em cada tela da biblioteca: ${least} pixels`, async ({ page, server, account }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await subscribe(server, account, 'plus');
      const { categoryId } = await fillLibrary(account, { links: ['Átomos', 'Moléculas', 'Ondas'] });
      await account.insert('favorites', [{ user_id: account.id, category_id: categoryId }]);
      const [link] = await account.insert('links', [
        { title: 'Marés', url: 'https://example.com/mares', category_id: categoryId, user_id: account.id },
      ]);
      await account.call('tag_links', { link_ids: [link?.['id']], added: ['7B', 'prova de física'] });
      for (const n of [1, 2])
        await account.call('capture_link', {
          id: crypto.randomUUID(),
          url: `https://example.com/visto-${n}`,
          title: `Visto ${n}`,
        });
      await signIn(page, account);
      const paths = [
        '/dashboard',
        `/category/${categoryId}`,
        '/tags',
        '/search',
        '/search?q=atomos',
        '/search?q=tag:7b',
        '/lixeira',
        '/entrada',
        '/salvar-de-qualquer-lugar',
        '/salvar?url=https://example.com/novo&title=Novo',
        '/plans',
        '/profile',
        '/profile?tab=security',
        '/profile?tab=billing',
        '/profile?tab=data',
      ];
      for (const path of paths) {
        await page.goto(path);
        await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
        await expect(page.getByRole('status', { name: 'Carregando' })).toHaveCount(0);
        await look(page, path);
      }
      await page.goto(`/category/${categoryId}`);
      await page.getByRole('button', { name: 'Compartilhar', exact: true }).first().click();
      await expect(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
      await look(page, 'compartilhar');
      await page.keyboard.press('Escape');
      await openLinkForm(page);
      await look(page, 'adicionar link');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Abrir menu( da conta)?$/ }).click();
      await expect(page.getByText('Sair', { exact: true })).toBeVisible();
      await look(page, 'menu da conta');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Selecionar', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Selecionar todos' })).toBeVisible();
      await look(page, 'seleção');
      await page.keyboard.press('Escape');
      if (least === 44) await page.getByRole('button', { name: 'Abrir navegação' }).click();
      // A row's buttons come with the focus.
      await shelf(page, 'Estudos').focus();
      await look(page, 'pastas');
      await newFolderButton(page).click();
      await expect(dialog(page, 'Nova Pasta')).toBeVisible();
      await look(page, 'nova pasta');
      await page.goto('/dashboard');
      await searchBox(page).fill('atomos');
      await expect(page.getByRole('option').first()).toBeVisible();
      await look(page, 'busca rápida');
    });

    test(`acerta tudo numa página compartilhada: ${least} pixels`, async ({ page, server, account }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await subscribe(server, account, 'plus');
      const { categoryId } = await fillLibrary(account, { links: ['Átomos', 'Ondas'] });
      await signIn(page, account, `/category/${categoryId}`);
      await page.getByRole('button', { name: 'Mais formas de compartilhar' }).click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await look(page, 'menu de compartilhar');
      await page.getByRole('menuitem', { name: /^Tornar pública/ }).click();
      await expect(page.getByRole('button', { name: 'Desfazer' })).toBeVisible();
      await look(page, 'pública, com aviso');
      for (const reader of ['member', 'visitor']) {
        if (reader === 'visitor') await page.evaluate(() => localStorage.clear());
        await page.goto(`/shared/${categoryId}`);
        await expect(page.getByText('Átomos').first()).toBeVisible();
        await look(page, reader);
      }
      const { email } = account;
      const received = await shareWith(server, email, 'Receitas');
      await signIn(page, account, `/category/${received.categoryId}`);
      await expect(page.getByText('Maçã').first()).toBeVisible();
      await look(page, 'recebida');
    });
  });
}
