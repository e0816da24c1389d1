import { type OpenIdProvider, startOpenIdProvider } from '@linkoteca/server-process/start-openid-provider';
import { createFolder, dialog, fillLogin, newFolderButton, notice } from './support/actions.ts';
import { type RunningServer, runServer } from './support/run-server.ts';
import { type Captcha, PERSON, startCaptcha } from './support/start-captcha.ts';
import { expect, test } from './support/test.ts';

/**
 * A server of its own, with what others lend: Google, for whom stands in whoever has one button a person, and a captcha of one press.
 */
let google: OpenIdProvider;
let captcha: Captcha;
let server: RunningServer;

// One worker starts it once for both sentences.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  captcha = await startCaptcha();
  server = await runServer({
    environment: async (url) => {
      google = await startOpenIdProvider(`${url}/auth/v1/callback`);
      google.setPerson({ subject: '1', email: 'clara@example.com', name: 'Clara Nunes' });
      const { issuer, clientId, clientSecret } = google;
      return {
        GOOGLE_ISSUER: issuer,
        GOOGLE_CLIENT_ID: clientId,
        GOOGLE_CLIENT_SECRET: clientSecret,
        ...captcha.environment,
      };
    },
  });
});
test.afterAll(async () => {
  await server.remove();
  await google.stop();
  await captcha.stop();
});

test.describe('Quem entra com o Google', () => {
  test('desiste lá e lê o que houve, depois entra, é chamado pelo nome, confirma lá quem é e exclui a conta', async ({
    page,
  }) => {
    await page.goto(`${server.url}/profile?tab=security`);
    await page.getByRole('button', { name: 'Continuar com Google' }).click();
    await page.getByRole('link', { name: 'Cancelar' }).click();
    await expect(notice(page, 'Erro no login com Google')).toBeVisible();
    await expect(notice(page, 'Não foi possível fazer login com o Google.')).toBeVisible();
    await expect(page).toHaveURL(/\/login\?from=[^&#]+$/);

    await page.getByRole('button', { name: 'Continuar com Google' }).click();
    await page.getByRole('link', { name: 'Continuar como Clara Nunes' }).click();
    await expect(page).toHaveURL(/\/profile\?tab=security$/);
    await expect(page.getByText('Este dispositivo', { exact: true })).toBeVisible();
    await page.goto(`${server.url}/dashboard`);
    await expect(page.getByText(/Clara/).first()).toBeVisible();
    await createFolder(page, 'Do Google');
    await expect(newFolderButton(page)).toBeVisible();

    // As if the sign-in were older than ten minutes.
    await page.route('**/functions/v1/delete-account', (route) =>
      route.fulfill({ status: 403, json: { error: 'x', code: 'reauthentication_needed' } }),
    );
    await page.goto(`${server.url}/profile?tab=data`);
    await page.getByRole('button', { name: 'Excluir minha conta' }).click();
    const asked = dialog(page, 'Excluir sua conta?');
    const confirm = asked.getByRole('button', { name: 'Excluir minha conta' });
    await asked.getByLabel('Digite EXCLUIR para confirmar').fill('EXCLUIR');
    await confirm.click();
    const confirmThere = asked.getByRole('button', { name: 'Confirmar com o Google' });
    await expect(confirmThere).toBeVisible();
    await page.unroute('**/functions/v1/delete-account');
    // Google still knows her, and leads back without a question.
    await confirmThere.click();
    await expect(page).toHaveURL(/\/profile\?tab=data&deleting=/);
    await asked.getByLabel('Digite EXCLUIR para confirmar').fill('EXCLUIR');
    await confirm.click();
    await expect(page.getByRole('heading', { name: 'Sua conta foi excluída' })).toBeVisible();

    // The answer of a flow that is over, as the browser's own button brings it back.
    await page.goto(`${server.url}/auth/v1/callback?state=3f0c1d6e-3f0a-4a0e-9f4e-0d6a3c1b2a10&code=x`);
    await expect(page.getByText(/^Esta entrada com o Google expirou ou já foi usada/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continuar com Google' })).toBeVisible();
  });
});

test('quem não mostra que é uma pessoa não entra, nem quem o captcha toma por robô; quem mostra é ouvido', async ({
  page,
}) => {
  await captcha.lendScript(page);
  captcha.present('um robô');
  const person = { email: 'ninguem@example.com', password: 'não é esta' };
  await page.goto(`${server.url}/login`);
  const box = page.getByLabel('Sou humano');
  await expect(box).toBeVisible();
  await fillLogin(page, person);
  await expect(notice(page, 'Complete a verificação de segurança e tente de novo.')).toBeVisible();
  expect(captcha.judged).toEqual([]);

  await box.check();
  await fillLogin(page, person);
  await expect(notice(page, 'A verificação de segurança não deu certo. Tente de novo.')).toBeVisible();
  await expect(box).not.toBeChecked();

  captcha.present(PERSON);
  await page.reload();
  await box.check();
  await fillLogin(page, person);
  await expect(notice(page, 'Email ou senha incorretos.')).toBeVisible();
  expect(captcha.judged).toEqual(['um robô', PERSON]);
});
