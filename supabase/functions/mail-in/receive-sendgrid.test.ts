import { describe, expect, test } from 'vitest';
import { basicAuth, HOOK_SECRET, MAIL_DOMAIN } from '../_shared/test-support/incoming-mails.ts';
import { receiveSendgrid } from './receive-sendgrid.ts';

const TERMS = { secret: HOOK_SECRET, maxBytes: 100_000, now: 0 };
const TO = `${'a'.repeat(24)}@${MAIL_DOMAIN}`;

/** The fields that Inbound Parse posts: https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook. */
const fields = (changes: Record<string, string> = {}): Record<string, string> => ({
  headers:
    'Received: by 1234mvd7.sendgrid.net with SMTP id t5sWpZPHWH\nFrom: Ana <ana@exemplo.com.br>\nList-Unsubscribe: <mailto:x@y.br>,\n <https://y.br/sair>\nMessage-Id: <m1@exemplo.com.br>\nsem dois pontos\n',
  dkim: '{@exemplo.com.br : pass}',
  to: TO,
  from: 'Ana <Ana@Exemplo.com.br>',
  subject: 'Pão',
  text: 'https://pao.com.br/',
  html: '<p>x</p>',
  sender_ip: '209.85.160.180',
  envelope: JSON.stringify({ to: [TO], from: 'ana@exemplo.com.br' }),
  attachments: '0',
  charsets: '{"to":"UTF-8","html":"utf-8","subject":"UTF-8","from":"UTF-8","text":"utf-8"}',
  SPF: 'pass',
  ...changes,
});

function receive(changes?: Record<string, string>, headers: Record<string, string> = basicAuth()) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields(changes))) body.append(name, value);
  return receiveSendgrid(new Request('https://p.test/', { method: 'POST', headers, body }), TERMS);
}

test('a message is read as SendGrid posts it', async () => {
  expect(await receive()).toEqual({
    recipients: [TO],
    sender: 'ana@exemplo.com.br',
    isVerified: true,
    subject: 'Pão',
    text: 'https://pao.com.br/',
    html: '<p>x</p>',
    headers: [
      ['Received', 'by 1234mvd7.sendgrid.net with SMTP id t5sWpZPHWH'],
      ['From', 'Ana <ana@exemplo.com.br>'],
      ['List-Unsubscribe', '<mailto:x@y.br>, <https://y.br/sair>'],
      ['Message-Id', '<m1@exemplo.com.br>'],
    ],
    fallbackId: '',
  });
});

test.each([
  ['iso-8859-1', 'P\xe3o'],
  ['nenhum-charset', 'P\ufffdo'],
])('each field is read in its own charset: %s', async (charset, expected) => {
  const part = (name: string, value: string) =>
    `--limite\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const parts = Object.entries(
    fields({ charsets: JSON.stringify({ text: charset }), text: 'P\xe3o', subject: 'P\xc3\xa3o' }),
  );
  const body = Buffer.from(
    `${parts.map(([name, value]) => part(name, value)).join('')}--limite--\r\n`,
    'latin1',
  );
  const headers = { ...basicAuth(), 'content-type': 'multipart/form-data; boundary=limite' };
  expect(
    await receiveSendgrid(new Request('https://p.test/', { method: 'POST', headers, body }), TERMS),
  ).toMatchObject({ text: expected, subject: 'Pão' });
});

describe('who it is from', () => {
  test.each<[boolean, string, Record<string, string>]>([
    [true, 'SPF alone passed', { dkim: 'none' }],
    [true, 'its domain alone has signed it', { SPF: 'fail' }],
    [
      true,
      'its domain among others has signed it',
      { SPF: 'none', dkim: '{@outro.com : fail, @exemplo.com.br : pass}' },
    ],
    [false, 'neither passed', { SPF: 'softfail', dkim: '{@exemplo.com.br : fail}' }],
    [
      false,
      'SPF passed for somebody else',
      { dkim: 'none', envelope: JSON.stringify({ to: [TO], from: 'x@outro.com' }) },
    ],
    [false, 'somebody else has signed it', { SPF: 'none', dkim: '{@outro.com : pass}' }],
    [false, 'somebody whose domain ends alike has', { SPF: 'none', dkim: '{@mau-exemplo.com.br : pass}' }],
    [false, 'it is from two', { from: 'ana@exemplo.com.br, bia@exemplo.com.br' }],
    [false, 'nothing is said', { SPF: '', dkim: '' }],
  ])('counts: %s, when %s', async (expected, _what, changes) => {
    expect(await receive(changes)).toMatchObject({ isVerified: expected });
  });
});

test.each(['', 'null', '[]', '{"to":"x"}', '{"to":[1]}'])(
  'an envelope that is none names nobody: %j',
  async (envelope) => {
    expect(await receive({ envelope })).toMatchObject({ recipients: [] });
  },
);

test('a request without the password is forged', async () => {
  expect(await receive({}, {})).toBe('forged');
  expect(await receive({}, basicAuth('outro'))).toBe('forged');
});

test.each(['application/json', 'multipart/form-data', 'multipart/form-data; boundary=x'])(
  'a body that is no form of this kind is no message: %s',
  async (type) => {
    const headers = { ...basicAuth(), 'content-type': type };
    const request = new Request('https://p.test/', { method: 'POST', headers, body: 'x' });
    expect(await receiveSendgrid(request, TERMS)).toBe('unreadable');
  },
);

test('a body that is too large is not read to its end', async () => {
  expect(await receive({ text: 'x'.repeat(100_000) })).toBe('too_large');
});
