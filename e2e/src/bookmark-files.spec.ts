import { readFile } from 'node:fs/promises';
import { shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

const FILE = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3>Receitas da vovó</H3>
    <DL><p>
        <DT><H3>Pães</H3>
        <DL><p>
            <DT><A HREF="https://exemplo.com.br/p%C3%A3o" ADD_DATE="1557576000" ICON="data:image/png;base64,AA">Pão de queijo &amp; café</A>
            <DD>Com polvilho azedo
            <DT><A HREF="javascript:alert(1)">Marcador</A>
        </DL><p>
    </DL><p>
    <DT><H3>Outra</H3>
    <DL><p><DT><A HREF="https://outra.com.br/">Outra</A></DL><p>
</DL><p>`;

test('importa favoritos escolhendo pastas, exporta, desfaz e importa de volta; no Free vê o caminho até os planos', async ({
  page,
  account,
  server,
}) => {
  await signIn(page, account);
  await page.getByRole('link', { name: 'Importar favoritos' }).click();
  // Until it is known which plan this is, the press asks for a file.
  await expect(page.getByRole('main').getByText('Disponível no Plus').first()).toBeVisible();
  await page.getByRole('button', { name: 'Escolher arquivo' }).click();
  await expect(page.getByText('Recurso indisponível')).toBeVisible();
  await page.getByRole('button', { name: 'Exportar', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Upgrade' }).first()).toBeVisible();

  await subscribe(server, account, 'plus');
  // Until the plan has arrived here a file would be refused.
  await expect(page.getByRole('main').getByText('Disponível no Plus')).toHaveCount(0);
  const choose = (name: string, content: string | Buffer) =>
    page
      .getByLabel('Escolher arquivo')
      .setInputFiles({ name, mimeType: 'text/html', buffer: Buffer.from(content) });
  await choose('foto.png', Buffer.from([137, 80, 78, 71, 0, 0]));
  await expect(page.getByRole('alert')).toContainText('Não reconhecemos este arquivo');

  await choose('favoritos.html', FILE);
  await expect(page.getByText('favoritos.html: 2 pastas, 2 categorias e 2 links.')).toBeVisible();
  await page.getByText('O que fica de fora: 1').click();
  await expect(page.getByText('Marcador · javascript:alert(1)')).toBeVisible();
  await page.getByRole('checkbox', { name: /^Outra/ }).uncheck();
  await expectNoBarrier(page, THEMES);
  await page.getByRole('button', { name: 'Importar 1 link' }).click();
  await expect(page.getByText('Importação concluída: 1 pasta, 1 categoria e 1 link.')).toBeVisible();
  await expect(shelf(page, 'Receitas da vovó')).toBeVisible();

  await page.getByLabel('O que exportar').selectOption({ label: 'Pães' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar', exact: true }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^linkoteca-paes-\d{4}-\d{2}-\d{2}\.html$/);
  const exported = await readFile(await download.path(), 'utf8');
  expect(exported).toMatch(/<H3 ADD_DATE="\d+">Pães<\/H3>/);
  expect(exported).toContain(
    '<A HREF="https://exemplo.com.br/p%C3%A3o" ADD_DATE="1557576000">Pão de queijo &amp; café</A>\n            <DD>Com polvilho azedo',
  );

  await page.getByRole('button', { name: 'Desfazer importação' }).click();
  await expect(page.getByText('Importação desfeita: 1 pasta, 1 categoria e 1 link a menos.')).toBeVisible();
  await expect(shelf(page, 'Receitas da vovó')).toHaveCount(0);

  await choose('de-volta.html', exported);
  await page.getByRole('button', { name: 'Importar 1 link' }).click();
  await expect(page.getByText('Importação concluída: 1 pasta, 1 categoria e 1 link.')).toBeVisible();
  await page.getByRole('button', { name: 'Escolher outro arquivo' }).click();
  await choose('outra-vez.html', exported);
  await expect(page.getByText('Tudo o que você escolheu já está na sua biblioteca.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Importar 0 links/ })).toBeDisabled();
});

test('corrige a árvore antes de importar: renomeia uma pasta com F2 e junta duas categorias', async ({
  page,
  account,
  server,
}) => {
  await subscribe(server, account, 'plus');
  await signIn(page, account);
  await page.getByRole('link', { name: 'Importar favoritos' }).click();
  await page
    .getByLabel('Escolher arquivo')
    .setInputFiles({ name: 'favoritos.html', mimeType: 'text/html', buffer: Buffer.from(FILE) });
  await page.getByRole('checkbox', { name: /^Outra/ }).press('F2');
  await page.getByLabel('Nome da Pasta').fill('Do trabalho');
  await page.getByLabel('Nome da Pasta').press('Enter');
  await expect(page.getByRole('checkbox', { name: /^Do trabalho/ })).toBeFocused();
  await page.getByText('Categorias de Do trabalho').click();
  await page.getByText('Categorias de Receitas da vovó').click();
  await expectNoBarrier(page, THEMES);
  await page.getByRole('button', { name: 'Juntar Pães com…' }).click();
  await page.getByRole('option', { name: /^Geral/ }).click();
  await expect(page.getByText('favoritos.html: 1 pasta, 1 categoria e 2 links.')).toBeVisible();
  await page.getByRole('button', { name: 'Importar 2 links' }).click();
  await expect(page.getByText('Importação concluída: 1 pasta, 1 categoria e 2 links.')).toBeVisible();
  await expect(shelf(page, 'Do trabalho')).toBeVisible();
  await expect(shelf(page, 'Receitas da vovó')).toHaveCount(0);
});
