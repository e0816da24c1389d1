import { dialog, signIn } from './support/actions.ts';
import { appoint } from './support/appoint.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

test('Quem administra encontra uma pessoa, vê seus links e não muda planos; os outros ficam de fora', async ({
  page,
  account,
  nextAccount,
  server,
}) => {
  const person = await nextAccount();
  await fillLibrary(person, { links: ['Atlas de anatomia'] });

  await page.goto('/diane');
  await expect(page.getByRole('heading', { name: 'Acesso Restrito' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ir para o início' })).toHaveAttribute('href', '/');
  await signIn(page, account, '/diane/users');
  await expect(page.getByRole('heading', { name: 'Acesso Restrito' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ir para o painel' })).toHaveAttribute('href', '/dashboard');
  await expectNoBarrier(page, THEMES);

  await appoint(server, account);
  await page.goto('/diane');
  await expect(page.getByRole('heading', { name: 'Painel de Administração' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Recent Users' }).getByText(person.email)).toBeVisible();
  await expectNoBarrier(page, THEMES);

  await page.getByRole('textbox', { name: 'Buscar usuários' }).fill(person.email.slice(4, 14).toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page.getByText('Total: 1 usuário', { exact: true })).toBeVisible();
  await expectNoBarrier(page, THEMES);
  await page.getByRole('button', { name: `Ver links de ${person.email}` }).click();
  const links = dialog(page, 'Links do usuário');
  await expect(links.getByText('Atlas de anatomia')).toBeVisible();
  await expect(links.getByText(/^example\.com · Física · /)).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: `Alterar plano de ${person.email}` }).click();
  await dialog(page, 'Alterar plano').getByText('Pro', { exact: true }).click();
  await dialog(page, 'Alterar plano').getByRole('button', { name: 'Confirmar' }).click();
  const refused = page.getByText('Erro ao atualizar plano. Tente novamente.');
  await expect(refused).toBeVisible();
  await page.getByRole('button', { name: 'Fechar aviso' }).click();
  await expect(refused).toBeHidden();
  await expect(page.getByRole('row', { name: new RegExp(person.email) })).toContainText('Free');
});

test('Quem administra lê assinaturas, estatísticas e o registro do que consultou, também no telefone', async ({
  page,
  account,
  server,
}) => {
  await appoint(server, account);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, account, '/diane/statistics');
  const chart = page.getByRole('listbox', { name: 'Cadastros, gráfico de barras' });
  await chart.focus();
  await page.keyboard.press('Home');
  await expect(chart.getByRole('option', { selected: true })).toHaveAccessibleName(/: 0$/);
  await page.getByText('Ver como tabela').first().click();
  await expect(page.getByRole('columnheader', { name: 'Cadastros' })).toBeVisible();
  await expectNoBarrier(page, THEMES);
  for (const [entry, heading] of [
    ['Planos e Assinaturas', 'Planos e Assinaturas'],
    ['Registro de acessos', 'Registro de acessos'],
  ] as const) {
    await page.getByRole('button', { name: 'Abrir navegação' }).click();
    await page.getByRole('dialog', { name: 'Administração' }).getByRole('link', { name: entry }).click();
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expectNoBarrier(page, THEMES);
  }
  await expect(page.getByText('Viu as estatísticas').first()).toBeVisible();
});
