import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'lk-settings-'));
  mkdirSync(join(project, 'supabase'));
  mkdirSync(join(project, 'elsewhere'));
});
afterEach(() => rmSync(project, { recursive: true }));

const write = (folder: string, text: string) => writeFileSync(join(project, folder, 'config.toml'), text);

it('what config.toml beside the functions says of sign-in holds where no variable says otherwise', () => {
  expect(readSettings({}, project).auth).toEqual({});
  write(
    'supabase',
    '[auth]\nsite_url = "http://localhost:8123"\njwt_expiry = 600\nadditional_redirect_urls = ["https://a.br"]\n[studio]\nport = 1',
  );
  expect(readSettings({}, project)).toMatchObject({
    auth: { accessTokenLifetime: 600 },
    siteUrl: 'http://localhost:8123',
    redirectAllowList: ['https://a.br'],
  });
  const variables = {
    GOTRUE_JWT_EXP: '900',
    SITE_URL: 'http://localhost:9000',
    REDIRECT_ALLOW_LIST: 'https://b.br',
  };
  expect(readSettings(variables, project)).toMatchObject({
    auth: { accessTokenLifetime: 900 },
    siteUrl: 'http://localhost:9000',
    redirectAllowList: ['https://b.br'],
  });
  write('elsewhere', '[auth]\njwt_expiry = 700');
  expect(readSettings({ FUNCTIONS_DIR: 'elsewhere/functions' }, project).auth).toEqual({
    accessTokenLifetime: 700,
  });
});

it('every fault is named at once, those of variables with those of the file', () => {
  write('supabase', '[auth]\nenable_refresh_token_rotation = false\nsite_url = "ftp://a.br"');
  expect(() => readSettings({ PORT: 'x', GOTRUE_JWT_EXP: '1' }, project)).toThrow(
    /PORT deve.*SITE_URL deve.*GOTRUE_JWT_EXP deve.*auth\.enable_refresh_token_rotation só pode ser true/s,
  );
});

it('a file that is no TOML ends the start with its place', () => {
  write('supabase', '[auth]\njwt_expiry = ');
  expect(() => readSettings({}, project)).toThrow(/config\.toml não pôde ser lido \(linha 2/);
});

it('mails that the operator wrote are read from the project’s folder, and every fault of theirs is named', () => {
  write(
    'supabase',
    '[auth.email.template.invite]\nsubject = "Venha, {{ .Email }}"\ncontent_path = "./supabase/convite.html"\n[auth.email.template.recovery]\nsubject = "Redefina sua senha"',
  );
  writeFileSync(join(project, 'supabase/convite.html'), '<a href="{{ .ConfirmationURL }}">Venha</a>');
  const { mailOverrides } = readSettings({}, project).auth;
  expect(Object.keys(mailOverrides ?? {})).toEqual(['invite']);
  expect(mailOverrides?.['invite']).toMatchObject({ subject: { nodes: [{ text: 'Venha, ' }, {}] } });

  const variables = {
    SUPABASE_AUTH_EMAIL_TEMPLATE_CONFIRMATION_CONTENT_PATH: 'nada.html',
    GOTRUE_MAILER_SUBJECTS_MAGIC_LINK: '{{ .Nome }}',
    PORT: 'x',
  };
  expect(() => readSettings(variables, project)).toThrow(
    /PORT deve.*auth\.email\.template\.confirmation\.content_path não pôde ser lido.*auth\.email\.template\.magic_link: a variável \.Nome não existe/s,
  );
});

it('the mails that this product’s own file names are those that it writes itself', () => {
  expect(readSettings({ SITE_URL: 'http://localhost:3000' }).auth.mailOverrides).toBeUndefined();
});

it('mails about changes are written by the operator as well, and GoTrue’s addresses of templates are over the file', () => {
  write(
    'supabase',
    '[auth.email.notification.password_changed]\nsubject = "Nova senha de {{ .Email }}"\n[auth.email.template.invite]\ncontent_path = "./supabase/convite.html"',
  );
  writeFileSync(join(project, 'supabase', 'convite.html'), '<p>{{ .Email }}</p>');
  const variables = { GOTRUE_MAILER_TEMPLATES_INVITE: '/modelos/convite.html' };
  const { mailOverrides } = readSettings(variables, project).auth;
  expect(mailOverrides).toMatchObject({
    password_changed_notification: { subject: { nodes: expect.any(Array) } },
    invite: { contentAddress: '/modelos/convite.html' },
  });
  expect(mailOverrides?.['invite']).not.toHaveProperty('content');
  const file = { ...variables, SUPABASE_AUTH_EMAIL_TEMPLATE_INVITE_CONTENT_PATH: 'supabase/convite.html' };
  expect(readSettings(file, project).auth.mailOverrides?.['invite']).toEqual({ content: expect.anything() });
  for (const address of ['convite.html', '//a.br/x', 'ftp://a.br/x'])
    expect(() => readSettings({ GOTRUE_MAILER_TEMPLATES_INVITE: address }, project)).toThrow(
      /GOTRUE_MAILER_TEMPLATES_INVITE deve ser/,
    );
  write('supabase', '[auth.email.notification.password_changed]\nsubject = "{{ .Token }}"');
  expect(() => readSettings({}, project)).toThrow(/auth\.email\.notification\.password_changed: /);
});
