import { chooseFromMenu, dialog, notice, shelf, signIn } from './support/actions.ts';
import { createKey } from './support/create-key.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem acompanha uma categoria', () => {
  test('por um leitor de notícias: cria o endereço secreto, troca, e desliga', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { category: 'Doces', links: ['Bolo de fubá'] });
    await signIn(page, account, `/category/${categoryId}`);
    await page.getByRole('button', { name: 'Mais formas de compartilhar' }).click();
    await page.getByRole('menuitem', { name: 'Acompanhar por RSS' }).click();
    const feed = dialog(page, 'Acompanhar por RSS');
    await feed.getByRole('button', { name: 'Criar endereço' }).click();
    const field = feed.getByLabel('Endereço para o leitor de notícias');
    const first = await field.inputValue();
    await expectNoBarrier(page, THEMES);
    // As a reader asks, which knows no account.
    const read = async (address: string) => {
      const answer = await fetch(address);
      return [answer.status, (await answer.text()).includes('Bolo de fubá')];
    };
    expect(await read(first)).toEqual([200, true]);

    await feed.getByRole('button', { name: 'Trocar' }).click();
    await page.getByRole('button', { name: 'Trocar endereço' }).click();
    await expect(notice(page, 'Endereço trocado')).toBeVisible();
    const second = await field.inputValue();
    expect(second).not.toBe(first);
    expect(await read(first)).toEqual([404, false]);
    expect(await read(second)).toEqual([200, true]);

    await feed.getByRole('button', { name: 'Desligar' }).click();
    await page.getByRole('button', { name: 'Desligar endereço' }).click();
    await expect(feed.getByRole('button', { name: 'Criar endereço' })).toBeVisible();
    expect(await read(second)).toEqual([404, false]);
  });

  test('pelo histórico: vê o que mudou, e qual programa mudou', async ({ page, account, server }) => {
    const { categoryId } = await fillLibrary(account, { category: 'Doces', links: ['Bolo de fubá'] });
    const { token } = await createKey(server, account, 'links:write');
    const saved = await fetch(`${server.url}/api/v1/links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://exemplo.com.br/torta', title: 'Torta', category_id: categoryId }),
    });
    expect(saved.status).toBe(201);
    await signIn(page, account, `/category/${categoryId}`);
    await chooseFromMenu(page, shelf(page, 'Doces'), 'Histórico');
    const history = dialog(page, 'Histórico');
    await expect(history.getByRole('listitem').first()).toContainText('Link salvo: “Torta”');
    await expect(history.getByRole('listitem').first()).toContainText('Programa “Extensão”');
    await expectNoBarrier(page, THEMES);
  });

  test('pelo histórico: desfaz de uma vez o que um programa fez, menos o que já mudou', async ({
    page,
    account,
    server,
  }) => {
    const { categoryId } = await fillLibrary(account, {
      category: 'Doces',
      links: ['Bolo de fubá', 'Pudim', 'Quindim'],
    });
    const { categoryId: other } = await fillLibrary(account, {
      folder: 'Guardados',
      category: 'Sótão',
      links: [],
    });
    const { token } = await createKey(server, account, 'links:write');
    const links = (await account.read('links?select=id,title')) as readonly { id: string; title: string }[];
    // As an assistant does: one call of a tool for all of them.
    const params = {
      name: 'move_links',
      arguments: { link_ids: links.map(({ id }) => id), category_id: other },
    };
    const moved = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(moved.status).toBe(200);
    await account.call('move_links', {
      link_ids: links.filter(({ title }) => title === 'Pudim').map(({ id }) => id),
      target_category_id: categoryId,
    });

    await signIn(page, account, `/category/${categoryId}`);
    await expect(page.getByRole('link', { name: 'Pudim' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Quindim' })).toBeHidden();
    await chooseFromMenu(page, shelf(page, 'Doces'), 'Histórico');
    const history = dialog(page, 'Histórico');
    await history.getByRole('button', { name: 'Desfazer' }).click();
    const question = page.getByRole('alertdialog', { name: 'Desfazer o que o programa “Extensão” fez?' });
    await expect(question.getByRole('listitem')).toHaveText([
      '2 links voltam para onde estavam.',
      '1 já foi mudado depois e fica como está.',
    ]);
    await expectNoBarrier(page, THEMES);
    await question.getByRole('button', { name: 'Desfazer' }).click();
    await expect(notice(page, 'Desfeito')).toBeVisible();
    await expect(history.getByText('Desfeito')).toBeVisible();
    await expect(history.getByRole('button', { name: 'Desfazer' })).toBeHidden();
    await page.keyboard.press('Escape');
    for (const title of ['Bolo de fubá', 'Pudim', 'Quindim'])
      await expect(page.getByRole('link', { name: title })).toBeVisible();
  });
});

test.describe('Quem tem um webhook', () => {
  test('o cria, testa, vê que o endereço não responde, e o exclui e traz de volta', async ({
    page,
    account,
  }) => {
    await signIn(page, account, '/profile?tab=programs');
    const hooks = page.getByRole('region', { name: 'Webhooks' });
    await hooks.getByRole('button', { name: 'Adicionar webhook' }).click();
    await dialog(page, 'Novo webhook')
      .getByRole('textbox', { name: 'Endereço' })
      .fill('https://recebe.exemplo.invalid.br/avisos');
    await page.getByRole('button', { name: 'Salvar' }).click();
    expect(await hooks.getByLabel('O segredo novo').inputValue()).toMatch(/^whsec_/);
    await hooks.getByRole('button', { name: 'Já copiei' }).click();
    await hooks.getByRole('button', { name: 'Enviar teste' }).click();
    await expect(notice(page, 'Teste enviado')).toBeVisible();
    await hooks.getByRole('button', { name: 'Entregas' }).click();
    await expect(hooks.getByText(/O endereço não foi alcançado|não respondeu em 10 segundos/)).toBeVisible();
    await expectNoBarrier(page, THEMES);

    await hooks.getByRole('button', { name: 'Mais ações' }).click();
    await page.getByRole('menuitem', { name: 'Excluir' }).click();
    await expect(hooks.getByText('Você não tem webhooks.')).toBeVisible();
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(hooks.getByText('https://recebe.exemplo.invalid.br/avisos')).toBeVisible();
  });
});
