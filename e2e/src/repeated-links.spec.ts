import { dialog, linkCard, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem salvou o mesmo endereço duas vezes', () => {
  test('encontra os repetidos, escolhe qual fica, junta, desfaz e junta todos', async ({ page, account }) => {
    const { categoryId, folderId } = await fillLibrary(account, { folder: 'Ciência', category: 'Física' });
    const other = await account.insert('categories', [
      { name: 'Leituras', folder_id: folderId, user_id: account.id },
    ]);
    const elsewhere = String(other[0]?.['id']);
    const link = (title: string, url: string, place: string, description: string | null = null) => ({
      title,
      url,
      description,
      category_id: place,
      user_id: account.id,
    });
    await account.insert('links', [
      link('Quarks', 'http://www.exemplo.com.br/quarks/', categoryId, 'Um'),
      link('Sobre quarks', 'https://exemplo.com.br/quarks?utm_source=x', elsewhere, 'Dois'),
      link('Ondas', 'https://exemplo.com.br/ondas', categoryId),
      link('Ondas de novo', 'https://exemplo.com.br/ondas#parte', categoryId),
    ]);
    await signIn(page, account, '/profile?tab=data');
    await page.getByRole('link', { name: 'Ver links repetidos' }).click();
    await expect(page.getByText('2 endereços repetidos')).toBeVisible();
    await expectNoBarrier(page, THEMES);
    const quarks = page.getByRole('group', { name: 'exemplo.com.br/quarks' });
    await expect(quarks.getByRole('radio', { name: 'Quarks', exact: true })).toBeChecked();
    await quarks.getByRole('radio', { name: 'Sobre quarks' }).check();
    await page.getByRole('button', { name: 'Juntar: exemplo.com.br/quarks, 2 links' }).click();
    await expect(page.getByText('Links juntados: 1 link foi para a Lixeira')).toBeVisible();
    await expect(quarks).toHaveCount(0);
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(quarks.getByRole('radio')).toHaveCount(2);
    await quarks.getByRole('radio', { name: 'Sobre quarks' }).check();
    await page.getByRole('button', { name: 'Juntar os 2 mostrados' }).click();
    await expect(page.getByText('Nenhum link repetido')).toBeVisible();
    await page.goto(`/category/${elsewhere}`);
    await expect(linkCard(page, 'Sobre quarks')).toContainText('Dois');
    await page.goto('/lixeira');
    await expect(page.getByRole('list', { name: 'Itens na Lixeira' })).toBeVisible();
  });

  test('ao colar um endereço que já tem, vai para o link', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Ciência', links: ['Quarks', 'Ondas'] });
    await signIn(page, account, '/dashboard');
    await page.keyboard.press('n');
    const form = dialog(page, 'Adicionar Link');
    await form.getByLabel('URL').fill('http://www.example.com/pagina-1/?utm_source=x');
    await expect(form.getByText(/Este endereço já está em/)).toBeVisible();
    await form.getByRole('button', { name: 'Ir para o link' }).click();
    await expect(form).toBeHidden();
    await expect(page).toHaveURL(`/category/${categoryId}`);
    await expect(linkCard(page, 'Quarks').getByRole('link', { name: 'Quarks' })).toBeFocused();
  });
});
