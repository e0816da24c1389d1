import { dialog, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

test('Quem publica põe prazo e senha: a visita digita a senha e lê, e trocar a senha fecha a página aberta', async ({
  page,
  openElsewhere,
  account,
  server,
}) => {
  await subscribe(server, account, 'plus');
  const { categoryId } = await fillLibrary(account, { category: 'Receitas', links: ['Pão'] });
  await signIn(page, account, `/category/${categoryId}`);
  const form = dialog(page, 'Compartilhar categoria');
  await page.getByRole('button', { name: 'Compartilhar', exact: true }).click();
  await form.getByRole('radio', { name: 'Pública, por link' }).check();
  await form.getByLabel('Prazo').selectOption('Por 7 dias');
  await form.getByRole('switch', { name: 'Pedir senha' }).check();
  await form.getByLabel('Senha da página').fill('abre-te sésamo');
  await expectNoBarrier(page, THEMES);
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText(/^Com senha · Até \d\d\/\d\d\/\d{4}/)).toBeVisible();

  const visitor = await openElsewhere();
  await visitor.goto(`/shared/${categoryId}`);
  await expect(visitor.getByRole('heading', { name: 'Esta página tem senha' })).toBeVisible();
  expect(await visitor.content()).not.toMatch(/Receitas|Pão/);
  await expectNoBarrier(visitor, THEMES);
  await visitor.getByLabel('Senha', { exact: true }).fill('errada123');
  await visitor.getByRole('button', { name: 'Abrir', exact: true }).click();
  await expect(visitor.getByText('Senha incorreta')).toBeVisible();
  await visitor.getByLabel('Senha', { exact: true }).fill('abre-te sésamo');
  await visitor.getByRole('button', { name: 'Abrir', exact: true }).click();
  await expect(visitor.getByRole('link', { name: 'Pão' })).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole('link', { name: 'Pão' })).toBeVisible();

  await page.getByRole('button', { name: 'Compartilhar', exact: true }).click();
  await form.getByRole('button', { name: 'Trocar a senha' }).click();
  await form.getByLabel('Senha da página').fill('outra senha');
  await form.getByRole('button', { name: 'Salvar' }).click();
  // Without reloading.
  await expect(visitor.getByRole('heading', { name: 'Esta página tem senha' })).toBeVisible();
});
