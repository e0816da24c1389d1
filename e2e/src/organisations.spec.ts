import { generateKeyPairSync } from 'node:crypto';
import { type SamlProvider, startSamlProvider } from '@linkoteca/server-process/start-saml-provider';
import { createFolder, newFolderButton, notice, signOut } from './support/actions.ts';
import { registerOrganisation } from './support/register-organisation.ts';
import { type RunningServer, runServer } from './support/run-server.ts';
import { expect, test } from './support/test.ts';

/** A server of its own, and the identity provider of an organisation that it knows: one button signs Clara in. */
let organisation: SamlProvider;
let server: RunningServer;

test.beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  server = await runServer({
    environment: async (url) => {
      const clara = { nameId: 'clara-1', email: 'clara@empresa.example', name: 'Clara Nunes' };
      organisation = await startSamlProvider(url, clara);
      return {
        GOTRUE_SAML_ENABLED: 'true',
        GOTRUE_SAML_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  });
  const { metadata } = organisation;
  await registerOrganisation(server, { metadata, domain: 'empresa.example' });
});
test.afterAll(async () => {
  await server.remove();
  await organisation.stop();
});

test('quem é de uma organização diz o e-mail, confirma na conta dela e chega onde queria; ao voltar, acha o que guardou', async ({
  page,
}) => {
  await page.goto(`${server.url}/profile?tab=security`);
  const enter = page.getByRole('button', { name: 'Entrar com a conta da organização' });
  await page.getByLabel(/^e-?mail$/i).fill('ana@outra.example');
  await enter.click();
  await expect(
    notice(page, 'Nenhuma organização entra aqui com esse e-mail. Entre com a senha.'),
  ).toBeVisible();

  await page.getByLabel(/^e-?mail$/i).fill('clara@empresa.example');
  await enter.click();
  await page.getByRole('button', { name: 'Continuar como Clara Nunes' }).click();
  await expect(page).toHaveURL(/\/profile\?tab=security$/);
  await expect(page.getByText('Este dispositivo', { exact: true })).toBeVisible();
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByText(/Clara/).first()).toBeVisible();
  await createFolder(page, 'Da empresa');
  await expect(newFolderButton(page)).toBeVisible();

  // What she has is still hers when she comes again.
  await signOut(page);
  await page.getByLabel(/^e-?mail$/i).fill('clara@empresa.example');
  await enter.click();
  await page.getByRole('button', { name: 'Continuar como Clara Nunes' }).click();
  await expect(page.getByRole('treeitem', { name: 'Da empresa' })).toBeVisible();
});
