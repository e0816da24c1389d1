import { connectByKey, expect, test } from './support/extension-test.ts';
import type { Account } from './support/open-account.ts';
import { serveMembersPages } from './support/serve-members-pages.ts';

type Link = { id: string; title: string; category_id: string };
type Cover = { state: string; path: string };

/** The person's links, the first one first. */
const links = async (account: Account) =>
  (await account.read('links?select=id,title,category_id&order=created_at')) as Link[];

/** What is known of the covers of their inbox. */
async function covers(account: Account): Promise<readonly Cover[]> {
  const all = await links(account);
  const parameters = { category_id: all[0]?.category_id, link_ids: all.map(({ id }) => id) };
  return (await account.call('category_covers', parameters)) as Cover[];
}

test.describe('A figura da página salva', () => {
  test('vem de uma página em que só a pessoa entra, vira a capa do link, e some com ele ao desfazer', async ({
    account,
    server,
    browserWithIt,
  }) => {
    const site = await serveMembersPages();
    try {
      const options = await connectByKey(browserWithIt, server, account);
      const page = await browserWithIt.context.newPage();
      // A host that nobody has let the extension read: it may because its button was pressed there.
      await page.goto(`${site.url.replace('127.0.0.1', 'localhost')}/entrar`);
      await browserWithIt.pressButton(page);
      await expect.poll(async () => (await links(account)).map(({ title }) => title)).toEqual(['Diário']);
      const [link] = await links(account);
      const path = `${account.id}/covers/${link?.id}`;
      await expect.poll(() => covers(account)).toMatchObject([{ state: 'image', path }]);

      const { access_token } = account.session as { access_token: string };
      const file = await fetch(`${server.url}/storage/v1/object/authenticated/arquivos/${path}`, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      expect(file.headers.get('content-type')).toBe('image/webp');
      const base64 = Buffer.from(await file.arrayBuffer()).toString('base64');
      // The middle of what the page has, in the shape of a cover, and in its colour.
      const seen = await options.evaluate(async (content) => {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0);
        const [red = 0, green = 0, blue = 0] = context?.getImageData(240, 135, 1, 1).data ?? [];
        return { size: [image.width, image.height], rgb: [red, green, blue] };
      }, base64);
      expect(seen.size).toEqual([480, 270]);
      for (const [at, value] of [196, 92, 60].entries())
        expect(Math.abs((seen.rgb[at] ?? 0) - value)).toBeLessThan(8);

      // Under its other address it is another page.
      await page.goto(`${site.url}/entrar`);
      const popup = await browserWithIt.press(page);
      await expect(popup.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
      await expect.poll(async () => (await covers(account)).length).toBe(2);
      const second = (await links(account))[1]?.id;
      await popup.getByRole('button', { name: 'Desfazer' }).click();
      await expect(popup.getByRole('heading', { name: /^Desfeito/ })).toBeVisible();
      expect(await covers(account)).toMatchObject([{ path }]);
      await account.call('undo_deletion', { item_type: 'link', item_ids: [second] });
      expect(await covers(account)).toHaveLength(2);
    } finally {
      site.stop();
    }
  });

  test('não vem de páginas hostis, e o link é salvo mesmo assim', async ({
    account,
    server,
    browserWithIt,
  }) => {
    const site = await serveMembersPages();
    try {
      await connectByKey(browserWithIt, server, account);
      const page = await browserWithIt.context.newPage();
      const hostile = ['calada', 'enorme', 'desenho', 'pagina'];
      for (const name of hostile) {
        await page.goto(`${site.url}/hostil/${name}`);
        const popup = await browserWithIt.press(page);
        await expect(popup.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
        await popup.close();
      }
      // The last one has a picture: by then what came of the others is known, but for the silent one.
      await page.goto(`${site.url}/entrar`);
      const popup = await browserWithIt.press(page);
      await expect(popup.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
      await expect.poll(async () => (await covers(account)).length).toBe(1);
      expect((await links(account)).map(({ title }) => title)).toEqual([
        ...hostile.map((name) => `Página ${name}`),
        'Diário',
      ]);
      for (const name of hostile) expect(site.asked).toContain(`/${name}.png`);
      expect(site.cutOff).toContain('/enorme.png');
      const [cover] = await covers(account);
      expect(cover?.path).toContain((await links(account)).at(-1)?.id);
    } finally {
      site.stop();
    }
  });
});
