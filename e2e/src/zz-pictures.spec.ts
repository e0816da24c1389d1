import { searchBox, signIn } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { test, expect } from './support/test.ts';
for (const scheme of ['light', 'dark'] as const) for (const width of [1280, 390])
test(`pictures ${scheme} ${width}`, async ({ page, account }) => {
  await page.emulateMedia({ colorScheme: scheme });
  await fillLibrary(account, { category: 'Doces', links: ['Bolo de fubá', 'Torta', 'Bolo de milho com calda de goiabada e um título muito longo'] });
  await account.insert('saved_searches', [{ name: 'Bolos', question: 'bolo em:doces', user_id: account.id }, { name: 'um nome de busca bem comprido que não cabe', question: 'torta', user_id: account.id }]);
  await page.setViewportSize({ width, height: 844 });
  await signIn(page, account, '/search?q=' + encodeURIComponent('bolo em:doces'));
  await expect(page.getByText('· 2 links')).toBeVisible();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/pics/a-${scheme}-${width}.png` });
  if (width === 390) { await page.getByRole('button', { name: /barra lateral|menu/i }).first().click(); await page.waitForTimeout(600); await page.screenshot({ path: `/tmp/pics/a-drawer-${scheme}.png` }); await page.keyboard.press('Escape'); }
  await searchBox(page).fill('bolo');
  await expect(page.getByRole('button', { name: 'Guardar busca' })).toBeVisible();
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/pics/a-quick-${scheme}-${width}.png` });
});
