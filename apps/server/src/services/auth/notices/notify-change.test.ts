import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { NOTICE_KINDS } from '../../../kernel/auth-config/read-notices.ts';
import { parseGoTemplate } from '../../../kernel/go-template/parse-go-template.ts';
import { addApp, enrollApp } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import { codeTextedTo, createPhonePerson, newPhone, signInByPhone } from '../test-support/phones.ts';
import { createPerson, follow, newEmail, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { answerJson, startHookReceiver } from '../test-support/start-hook-receiver.ts';
import { composeNotice } from './notice-mails.ts';

const NEW_PASSWORD = 'outra senha, mais longa';
let service: TestService;
beforeAll(async () => {
  service = await startAuthService({
    settings: {
      phoneEnabled: true,
      mailWaitMs: 20_000,
      notices: NOTICE_KINDS,
      noticesPerReceiver: { points: 2, seconds: 86_400 },
      secureEmailChange: false,
      signInProviders: { google: { issuer: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'b' } },
    },
  });
});
afterAll(() => service.stop());

const subjectsTo = (email: string, from = service) =>
  from.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
const open = async () => {
  const person = await createPerson(service);
  return { ...person, token: (await signIn(service, person.email)).access_token };
};
const update = (token: string, body: object) => call(service, 'PUT /user', { token, body });

describe('the owner of an account', () => {
  it('is told of a new password, and not of one that was refused', async () => {
    const { email, token } = await open();
    expect((await update(token, { password: 'a' })).status).toBe(422);
    expect((await update(token, { password: NEW_PASSWORD })).status).toBe(200);
    await expect.poll(() => subjectsTo(email)).toEqual(['Sua senha foi trocada']);
    const mail = service.mails.find(({ to }) => to === email);
    expect(`${mail?.text}${mail?.html}`).not.toContain(NEW_PASSWORD);
  });

  it('is told of a new password, too, where the mail about a new address sent with it fails', async () => {
    const { email, token } = await open();
    const next = newEmail();
    service.setMailer(async (mail) => {
      if (mail.to === next) throw new Error('refused');
      service.mails.push(mail);
    });
    onTestFinished(() =>
      service.setMailer(async (mail) => {
        service.mails.push(mail);
      }),
    );
    const reply = await update(token, { email: next, password: NEW_PASSWORD });
    expect(reply.body).toMatchObject({ code: 'email_send_failed' });
    await signIn(service, email, NEW_PASSWORD);
    await expect.poll(() => subjectsTo(email)).toEqual(['Sua senha foi trocada']);
  });

  it('is told of a new address at the old one, once it is proven', async () => {
    const { email, token } = await open();
    const next = newEmail();
    await update(token, { email: next });
    const mailed = service.mails.find(({ to }) => to === next);
    expect(subjectsTo(email)).toEqual([]);
    await follow(service, new URL(/https?:\/\/\S+/.exec(mailed?.text ?? '')?.[0] ?? ''));
    await expect.poll(() => subjectsTo(email)).toEqual(['O e-mail da sua conta foi trocado']);
    expect(service.mails.find(({ to }) => to === email)?.text).toContain(
      `tinha o e-mail ${email}, agora tem ${next}`,
    );
    expect(subjectsTo(next)).toHaveLength(1);
  });

  it('is told of a second factor that counts, and of one that no longer does; not of one that was only begun', async () => {
    const { email } = await open();
    const begun = await signIn(service, email);
    await enrollApp(service, begun, 'Começado');
    const { app, tokens } = await addApp(service, begun, 'Celular');
    await expect.poll(() => subjectsTo(email)).toEqual(['Sua conta tem uma segunda prova']);
    const token = tokens.access_token;
    const begunAgain = await enrollApp(service, tokens, 'Outro');
    await call(service, `DELETE /factors/${begunAgain.factorId}`, { token });
    expect((await call(service, `DELETE /factors/${app.factorId}`, { token })).status).toBe(200);
    await expect.poll(() => subjectsTo(email)).toContain('Sua conta tem uma segunda prova a menos');
    expect(subjectsTo(email)).toHaveLength(2);
  });

  it('is told of a new number, and of a way in that was given up', async () => {
    const { email, token } = await open();
    const phone = newPhone();
    await update(token, { phone });
    const proof = { type: 'phone_change', phone, token: codeTextedTo(service, phone) };
    const { user } = (await call(service, 'POST /verify', { body: proof })).body as Tokens;
    await expect.poll(() => subjectsTo(email)).toEqual(['O telefone da sua conta foi trocado']);
    const identities = user['identities'] as { provider: string; identity_id: string }[];
    const id = identities.find(({ provider }) => provider === 'phone')?.identity_id;
    expect((await call(service, `DELETE /user/identities/${id}`, { token })).status).toBe(200);
    await expect.poll(() => subjectsTo(email)).toContain('Sua conta tem um modo de entrar a menos');
  });

  it('who has no address, or has not proven it, gets no mail', async () => {
    const { phone } = await createPhonePerson(service);
    const before = service.mails.length;
    const { access_token: token } = await signInByPhone(service, phone);
    expect((await update(token, { password: NEW_PASSWORD })).status).toBe(200);
    const { email, token: other } = await open();
    await update(other, { password: NEW_PASSWORD });
    await expect.poll(() => subjectsTo(email)).toHaveLength(1);
    expect(service.mails.length).toBe(before + 1);
  });

  it('is not told of the same without end', async () => {
    const { email, token } = await open();
    for (const password of ['uma senha longa', 'duas senhas longas', 'tres senhas longas', NEW_PASSWORD])
      expect((await update(token, { password })).status).toBe(200);
    const { email: next, token: other } = await open();
    await update(other, { password: NEW_PASSWORD });
    await expect.poll(() => subjectsTo(next)).toHaveLength(1);
    await expect.poll(() => subjectsTo(email)).toHaveLength(2);
  });

  it('is told nothing by an operator who does not want it', async () => {
    const quiet = await startAuthService();
    onTestFinished(() => quiet.stop());
    const { email } = await createPerson(quiet);
    const { access_token: token } = await signIn(quiet, email);
    const reply = await call(quiet, 'PUT /user', { token, body: { password: NEW_PASSWORD } });
    expect(reply.status).toBe(200);
    await quiet.server.close();
    expect(quiet.mails).toEqual([]);
  });
});

describe('a mail about a change', () => {
  const facts = { to: 'ana@a.test', email: 'ana@a.test', provider: 'google', factorType: 'totp' };

  it.each(NOTICE_KINDS)('%s is whole, and safe', (kind) => {
    const mail = composeNotice(
      { siteUrl: 'https://l.test' },
      kind,
      {},
      {
        ...facts,
        email: '<b>@a.test',
        oldEmail: '<i>@a.test',
        phone: '5511',
      },
    );
    expect(mail.text).not.toMatch(/undefined|\bnull\b/);
    expect(mail.html).not.toMatch(/<[bi]>/);
  });

  it.each(['totp', 'phone', 'webauthn'])('says of a %s that is given up no more than that', (factorType) => {
    const { text } = composeNotice(
      { siteUrl: 'https://l.test' },
      'mfa_factor_unenrolled',
      {},
      { ...facts, factorType },
    );
    expect(text).toContain('tinha uma segunda prova que foi retirada: ');
    expect(text).not.toContain('não se pede mais');
  });

  it('has the operator’s words', () => {
    const variables = ['Email', 'Provider'];
    const override = {
      subject: parseGoTemplate('Novo: {{ .Provider }}', { as: 'text', variables }),
      content: parseGoTemplate('<p>{{ .Email }}</p>', { as: 'html', variables }),
    };
    expect(composeNotice({ siteUrl: 'https://l.test' }, 'identity_linked', override, facts)).toMatchObject({
      subject: 'Novo: google',
      html: '<p>ana@a.test</p>',
    });
  });

  it('is the hook’s to send where one sends mails', async () => {
    const receiver = await startHookReceiver();
    onTestFinished(() => receiver.stop());
    receiver.answer(answerJson({}));
    const hooked = await startAuthService({
      settings: { hooks: { send_email: receiver.at('/enviar') }, notices: ['password_changed'] },
    });
    onTestFinished(() => hooked.stop());
    const { email } = await createPerson(hooked);
    const { access_token: token } = await signIn(hooked, email);
    await call(hooked, 'PUT /user', { token, body: { password: NEW_PASSWORD } });
    await expect.poll(() => receiver.messages.length).toBe(1);
    expect(JSON.parse(receiver.messages[0]?.body ?? '')).toMatchObject({
      user: { email },
      email_data: { email_action_type: 'password_changed_notification', token: '' },
    });
    expect(hooked.mails).toEqual([]);
  });
});
