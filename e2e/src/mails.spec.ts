import { expectEnoughContrast } from './support/expect-no-barrier.ts';
import { expect, test } from './support/test.ts';

test('cada e-mail se lê no claro e no escuro, num celular, em português', async ({ page, server }) => {
  const previews = `${server.url}/dev/mail/preview`;
  const list = await (await fetch(previews)).text();
  const names = [...list.matchAll(/src="\/dev\/mail\/preview\/(\w+)"/g)].map(([, name = '']) => name);
  expect(names).toEqual(expect.arrayContaining(['confirmation', 'recovery', 'invite', 'account_deleted']));
  await page.setViewportSize({ width: 360, height: 740 });
  for (const name of names) {
    // As mail programs show it: without the page around, and without its policy.
    await page.setContent(await (await fetch(`${previews}/${name}`)).text());
    await expect(page.locator('html'), name).toHaveAttribute('lang', 'pt-BR');
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(360);
    await test.step(name, () => expectEnoughContrast(page));
  }
});
