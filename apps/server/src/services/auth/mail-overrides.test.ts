import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { HOSTED_MAILS, type HostedMail, writeHostedTemplates } from './hosted-mail-templates.ts';
import { readMailOverride } from './mail-overrides.ts';
import { previewAuthMails } from './preview-mails.ts';
import { call } from './test-support/call-service.ts';
import { createPerson, newEmail, signIn } from './test-support/sign-people-in.ts';
import { PASSWORD, SITE_URL, startAuthService } from './test-support/start-auth-service.ts';

const read = (name: HostedMail, subject: string | undefined, content: string | undefined) =>
  readMailOverride(name, { subject, content });

/** A service whose operator wrote these mails. */
async function start(written: Readonly<Partial<Record<HostedMail, readonly [string, string]>>>) {
  const entries = Object.entries(written) as [HostedMail, readonly [string, string]][];
  const mailOverrides = Object.fromEntries(
    entries.map(([name, [subject, content]]) => [name, read(name, subject, content)]),
  );
  const service = await startAuthService({ settings: { mailOverrides } });
  onTestFinished(() => service.stop());
  const lastTo = (address: string) => service.mails.findLast(({ to }) => to === address);
  return { service, lastTo };
}

describe('what an operator writes in place of a mail', () => {
  it.each(HOSTED_MAILS)('is ours where it says what ours does: %s', (name) => {
    const { subject, html } = writeHostedTemplates()[name];
    expect(read(name, subject, html)).toBeUndefined();
    expect(read(name, undefined, `\n${html}\n`)).toBeUndefined();
    expect(read(name, undefined, undefined)).toBeUndefined();
    expect(read(name, 'Oi', html)).toEqual({ subject: { nodes: [{ kind: 'text', text: 'Oi' }] } });
  });

  it('is refused where it asks for what no mail has, or is a book', () => {
    expect(() => read('invite', 'Oi', '<p>\n{{ .ConfirmatonURL }}</p>')).toThrow(
      /\.ConfirmatonURL não existe \(linha 2\)/,
    );
    expect(() => read('invite', '{{ .Nome }}', undefined)).toThrow(/\.Nome/);
    expect(() => read('invite', 'Oi', 'x'.repeat(262_145))).toThrow(/mais longo/);
  });

  it('goes out with its own link, code and words, in both forms', async () => {
    const { service, lastTo } = await start({
      confirmation: [
        'Bem-vinda, {{ .Data.name }}\n!',
        '<style>p { color: red }</style><h1>Oi, {{ .Data.name }}</h1><p>Código {{ .Token }} para {{ .Email }}</p><a href="{{ .ConfirmationURL }}">Confirme</a><br><a href="{{ .SiteURL }}/entrar?token_hash={{ .TokenHash }}&amp;next={{ .RedirectTo }}">Ou aqui</a>',
      ],
    });
    const email = newEmail();
    const redirectTo = `${SITE_URL}/bem?vinda=1&mais=2`;
    const body = { email, password: PASSWORD, data: { name: '<Bia> & "Ana"' } };
    await call(service, `POST /signup?redirect_to=${encodeURIComponent(redirectTo)}`, { body });
    const mail = lastTo(email);
    expect(mail?.subject).toBe('Bem-vinda, <Bia> & "Ana" !');
    expect(mail?.html).toContain('<h1>Oi, &lt;Bia&gt; &amp; &quot;Ana&quot;</h1>');
    expect(mail?.text).toMatch(
      new RegExp(
        `^Oi, <Bia> & "Ana"\n\nCódigo \\d{6} para ${email}\n\nConfirme: ${SITE_URL}/auth/v1/verify\\?token=\\w+&type=signup`,
      ),
    );
    expect(mail?.text).not.toContain('color');
    expect(mail?.text).toContain(`&next=${encodeURIComponent(redirectTo)}`);

    const token = /Código (\d{6})/.exec(mail?.text ?? '')?.[1];
    const hash = /token_hash=(\w+)/.exec(mail?.text ?? '')?.[1];
    const wrong = { type: 'signup', email, token: token === '000000' ? '000001' : '000000' };
    expect((await call(service, 'POST /verify', { body: wrong })).status).toBe(403);
    expect(
      (await call(service, 'POST /verify', { body: { type: 'signup', token_hash: hash } })).body,
    ).toMatchObject({
      user: { email, user_metadata: body.data },
    });
    await signIn(service, email);
  });

  it('tells the two mails of a change of address apart, and where they go', async () => {
    const { service, lastTo } = await start({
      email_change: [
        'Troca',
        '{{ if eq .SendingTo .NewEmail }}novo{{ else }}atual{{ end }} {{ .Email }} {{ .NewEmail }} {{ .Data.cor }} {{ .ConfirmationURL }}',
      ],
    });
    const { email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    await call(service, 'PUT /user', { token, body: { data: { cor: 'azul' } } });
    const next = newEmail();
    await call(service, 'PUT /user', { token, body: { email: next } });
    expect(lastTo(next)?.text).toMatch(new RegExp(`^novo ${email} ${next} azul ${SITE_URL}/auth/v1/verify`));
    expect(lastTo(email)?.text).toMatch(new RegExp(`^atual ${email} ${next} azul`));
  });

  it.each<[HostedMail, string, object]>([
    ['recovery', 'POST /recover', {}],
    ['magic_link', 'POST /otp', {}],
    ['invite', 'POST /invite', { data: { cor: 'azul' } }],
  ])('stands in for %s, and leaves the others as they are', async (name, line, more) => {
    const { service, lastTo } = await start({
      [name]: ['Assunto {{ .Token }}', '<p>{{ .Email }} {{ .Data.cor }}</p>'],
    });
    const operator = { token: service.keyring.serviceRoleKey };
    const email = newEmail();
    if (name !== 'invite') {
      await createPerson(service, { email });
      const { access_token: token } = await signIn(service, email);
      await call(service, 'PUT /user', { token, body: { data: { cor: 'azul' } } });
    }
    await call(service, line, { ...(name === 'invite' ? operator : {}), body: { email, ...more } });
    expect(lastTo(email)).toMatchObject({
      subject: expect.stringMatching(/^Assunto \d{6}$/),
      text: `${email} azul\n`,
    });
    const other = newEmail();
    await call(service, 'POST /signup', { body: { email: other, password: PASSWORD } });
    expect(lastTo(other)?.subject).toBe('Confirme seu e-mail');
  });
});

describe('the preview', () => {
  it('shows every mail, in the operator’s words where there are some', () => {
    const invite = read('invite', 'Venha, {{ .Data.name }}', undefined);
    const mails = previewAuthMails(
      {
        ...DEFAULT_AUTH_SETTINGS,
        siteUrl: SITE_URL,
        codeLength: 8,
        mailOverrides: { invite },
      },
      new Date(),
    );
    expect(Object.keys(mails)).toHaveLength(17);
    expect(mails['invite']?.subject).toBe('Venha, Ana Souza');
    expect(mails['reauthentication']?.text).toContain('Código: 01234567');
    for (const { subject, text, html } of Object.values(mails))
      for (const part of [subject, text, html]) expect(part.length).toBeGreaterThan(5);
  });
});
