import { readFile } from 'node:fs/promises';
import { dialog, fillLogin, signIn } from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { expect, test } from './support/test.ts';

test('baixa os seus dados, exclui a conta, sai de tudo e tem tudo de volta ao entrar', async ({
  page,
  account,
  openElsewhere,
}) => {
  const [folder] = await account.insert('folders', [{ name: 'Trabalho' }]);
  const [category] = await account.insert('categories', [{ name: 'Artigos', folder_id: folder?.['id'] }]);
  await account.insert('links', [
    { title: 'Guia "completo"', url: 'https://exemplo.com.br/guia', category_id: category?.['id'] },
  ]);
  const elsewhere = await openElsewhere();
  await signIn(elsewhere, account);
  await expect(elsewhere.getByRole('treeitem', { name: 'Trabalho' })).toBeVisible();

  await signIn(page, account, '/profile?tab=data');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Baixar meus dados' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^linkoteca-meus-dados-\d{4}-\d{2}-\d{2}\.json$/);
  const copy = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(copy).toMatchObject({
    versao: 1,
    conta: { email: account.email },
    pastas: [{ nome: 'Trabalho' }],
    categorias: [{ nome: 'Artigos', compartilhamento: { publica: false, pessoas: [] } }],
    links: [{ titulo: 'Guia "completo"', endereco: 'https://exemplo.com.br/guia' }],
  });
  await expect(page.getByText('Sua cópia está pronta')).toBeVisible();

  await page.getByRole('button', { name: 'Excluir minha conta' }).click();
  const asked = dialog(page, 'Excluir sua conta?');
  await expect(asked).toContainText('nada mais é cobrado');
  await expectNoBarrier(page);
  const confirm = asked.getByRole('button', { name: 'Excluir minha conta' });
  await confirm.click();
  await expect(asked.getByText('Digite EXCLUIR, em letras maiúsculas')).toBeVisible();
  await asked.getByLabel('Digite EXCLUIR para confirmar').fill('EXCLUIR');
  await asked.getByLabel('Senha atual').fill('não é esta');
  await confirm.click();
  await expect(asked.getByText('Senha atual incorreta')).toBeVisible();
  await asked.getByLabel('Senha atual').fill(account.password);
  await confirm.click();

  await expect(page.getByRole('heading', { name: 'Sua conta foi excluída' })).toBeVisible();
  await expect(page.getByText(/^Até \d{1,2} de [a-zç]+ de \d{4}, basta entrar de novo/)).toBeVisible();
  await expectNoBarrier(page);
  await expect(elsewhere.getByRole('treeitem', { name: 'Trabalho' })).toBeHidden();
  await elsewhere.close();

  await page.getByRole('link', { name: 'Entrar e restaurar' }).click();
  await fillLogin(page, account);
  await expect(page.getByText('Sua conta foi restaurada')).toBeVisible();
  await expect(page.getByRole('treeitem', { name: 'Trabalho' })).toBeVisible();
});
