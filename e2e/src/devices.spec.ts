import { newFolderButton, notice, signIn, signInByForm } from './support/actions.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem usa a conta em dois lugares', () => {
  test('vê os dois, sai do outro, e a página aberta lá vai para o login e diz por quê', async ({
    page,
    account,
    openElsewhere,
  }) => {
    const there = await openElsewhere();
    await signInByForm(there, account);
    await expect(newFolderButton(there)).toBeVisible();

    await signIn(page, account, '/profile?tab=security');
    const list = page.getByRole('region', { name: 'Dispositivos' });
    await expect(list.getByText('Este dispositivo', { exact: true })).toHaveCount(1);
    const other = list.getByRole('listitem').filter({ hasText: 'Chrome no Linux' });
    await expect(other.getByText('Rede local')).toBeVisible();
    await other.getByRole('button', { name: 'Sair deste dispositivo' }).click();
    await expect(notice(page, 'Dispositivo desconectado')).toBeVisible();
    await expect(other).toHaveCount(0);

    await expect(there).toHaveURL(/\/login/);
    await expect(there.getByText('Sua sessão neste dispositivo terminou.')).toBeVisible();
    await there.goto('/dashboard');
    await expect(there).toHaveURL(/\/login/);
    await there.close();

    await list.getByRole('button', { name: 'Sair de todos' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sair de todos' }).click();
    await expect(page).toHaveURL(/\/login/);
  });
});
