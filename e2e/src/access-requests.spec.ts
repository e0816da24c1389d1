import { dialog, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { openAccount } from './support/open-account.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

test('Quem não pode abrir uma categoria pede acesso, a dona responde pelo aviso na barra, e a página abre sozinha', async ({
  page,
  openElsewhere,
  account,
  server,
}) => {
  await subscribe(server, account, 'plus');
  const { categoryId } = await fillLibrary(account, { category: 'Receitas', links: ['Pão'] });
  const asker = await openAccount(server, 'Bia Reis');
  await signIn(page, account);
  const other = await openElsewhere();
  await signIn(other, asker);
  await other.goto(`/shared/${categoryId}`);
  // As of a category that does not exist.
  await expect(other.getByRole('heading', { name: 'Categoria não encontrada' })).toBeVisible();
  await other.getByRole('button', { name: 'Pedir acesso' }).click();
  await other.getByLabel('Mensagem (opcional)').fill('Sou da turma 9B');
  await expectNoBarrier(other, THEMES);
  await other.getByRole('button', { name: 'Enviar pedido' }).click();
  await expect(other.getByText('Pedido enviado')).toBeVisible();

  // Without reloading.
  await page.getByRole('button', { name: '1 pedido de acesso' }).click();
  const requests = dialog(page, 'Pedidos de acesso');
  await expect(requests.getByText('“Sou da turma 9B”')).toBeVisible();
  await expectNoBarrier(page, THEMES);
  await requests.getByRole('button', { name: `Permitir ${asker.email} em Receitas` }).click();
  await expect(page.getByText('Bia Reis já pode ver “Receitas”')).toBeVisible();
  await expect(requests.getByText('Nenhum pedido esperando resposta.')).toBeVisible();
  await expect(other.getByRole('heading', { level: 1, name: 'Receitas' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'Pão' })).toBeVisible();
});

test('O botão do e-mail abre o compartilhamento da categoria com o pedido, que pode ser recusado', async ({
  page,
  account,
  server,
  openElsewhere,
}) => {
  await subscribe(server, account, 'plus');
  const { categoryId } = await fillLibrary(account, { category: 'Receitas', links: ['Pão'] });
  const asker = await openAccount(server, 'Bia Reis');
  const other = await openElsewhere();
  await signIn(other, asker);
  await other.goto(`/shared/${categoryId}`);
  await other.getByRole('button', { name: 'Pedir acesso' }).click();
  await other.getByRole('button', { name: 'Enviar pedido' }).click();
  await expect(other.getByText('Pedido enviado')).toBeVisible();

  await signIn(page, account, `/category/${categoryId}?share=1`);
  const form = dialog(page, 'Compartilhar categoria');
  await form.getByRole('button', { name: `Recusar ${asker.email} em Receitas` }).click();
  await expect(form.getByText(asker.email)).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/category/${categoryId}$`));
  // Nobody is told.
  await other.reload();
  await expect(other.getByText('Pedido enviado')).toBeVisible();
});
