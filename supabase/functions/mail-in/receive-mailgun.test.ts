import { describe, expect, test } from 'vitest';
import { HOOK_SECRET, MAIL_DOMAIN, signAsMailgun } from '../_shared/test-support/incoming-mails.ts';
import { receiveMailgun } from './receive-mailgun.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const TERMS = { secret: HOOK_SECRET, maxBytes: 100_000, now: NOW };
const TO = `${'a'.repeat(24)}@${MAIL_DOMAIN}`;

type Headers = readonly (readonly [string, string])[];
const signed = (domain: string) =>
  [
    'Dkim-Signature',
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=20161025; h=from:to; bh=x; b=y`,
  ] as const;
const PASSED: Headers = [
  ['X-Mailgun-Incoming', 'Yes'],
  ['X-Mailgun-Spf', 'Pass'],
  ['X-Mailgun-Dkim-Check-Result', 'Pass'],
  signed('exemplo.com.br'),
  ['Message-Id', '<m1@exemplo.com.br>'],
];

/** The fields that a route posts: https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http. */
const fields = (changes: Record<string, string> = {}, headers: Headers = PASSED): Record<string, string> => ({
  recipient: TO,
  sender: 'ana@exemplo.com.br',
  subject: 'Pão',
  from: 'Ana <Ana@Exemplo.com.br>',
  'X-Mailgun-Incoming': 'Yes',
  'message-headers': JSON.stringify(headers),
  'body-plain': 'https://pao.com.br/',
  'body-html': '<p>x</p>',
  'stripped-text': 'https://pao.com.br/',
  ...signAsMailgun(NOW),
  ...changes,
});
const receive = (body: BodyInit, now = NOW) =>
  receiveMailgun(new Request('https://p.test/', { method: 'POST', body }), { ...TERMS, now });
const urlEncoded = (changes?: Record<string, string>, headers?: Headers) =>
  receive(new URLSearchParams(fields(changes, headers)));

test('a message is read as Mailgun posts it, with attachments or without', async () => {
  const parts = new FormData();
  for (const [name, value] of Object.entries(fields())) parts.append(name, value);
  parts.append(
    'attachment-1',
    new File([new Uint8Array([0, 255, 13, 10])], 'foto.png', { type: 'image/png' }),
  );
  for (const body of [new URLSearchParams(fields()), parts])
    expect(await receive(body)).toMatchObject({
      recipients: [TO],
      sender: 'ana@exemplo.com.br',
      isVerified: true,
      subject: 'Pão',
      text: 'https://pao.com.br/',
      html: '<p>x</p>',
      headers: PASSED,
    });
});

async function isVerified(headers: Headers, changes?: Record<string, string>) {
  const mail = await urlEncoded(changes, headers);
  return typeof mail === 'object' && mail.isVerified;
}
const SPF = ['X-Mailgun-Spf', 'Pass'] as const;
const DKIM = ['X-Mailgun-Dkim-Check-Result', 'Pass'] as const;

describe('who it is from counts when', () => {
  test.each<[string, Headers]>([
    ['SPF passed for its domain', [SPF]],
    ['its domain has signed it', [DKIM, signed('exemplo.com.br')]],
    ['its domain has, in other letters', [DKIM, signed('Exemplo.COM.br')]],
    ['the domain above its own has', [DKIM, signed('com.br')]],
  ])('%s', async (_what, headers) => {
    expect(await isVerified(headers)).toBe(true);
  });
});

describe('who it is from does not count when', () => {
  test.each<[string, Headers, Record<string, string>?]>([
    ['nothing is said', []],
    [
      'neither passed',
      [['X-Mailgun-Spf', 'Neutral'], ['X-Mailgun-Dkim-Check-Result', 'Fail'], signed('exemplo.com.br')],
    ],
    ['SPF passed for somebody else', [SPF], { sender: 'ladrao@outro.com' }],
    ['it is signed by somebody else', [DKIM, signed('outro.com')]],
    [
      'one of two signatures is somebody else’s: which of them passed is not said',
      [DKIM, signed('exemplo.com.br'), signed('outro.com')],
    ],
    ['there is no signature', [DKIM]],
    ['the sender wrote that SPF passed as well', [['X-Mailgun-Spf', 'Fail'], SPF]],
    [
      'the sender wrote that it is signed',
      [DKIM, ['X-Mailgun-Dkim-Check-Result', 'Fail'], signed('exemplo.com.br')],
    ],
    ['it is from two', [SPF], { from: 'ana@exemplo.com.br, bia@exemplo.com.br' }],
    ['it is from nobody', [SPF], { from: '' }],
    ['the headers are no list', [], { 'message-headers': '{"X-Mailgun-Spf":"Pass"}' }],
    ['the headers are no JSON', [], { 'message-headers': 'X-Mailgun-Spf: Pass' }],
  ])('%s', async (_what, headers, changes) => {
    expect(await isVerified(headers, changes)).toBe(false);
  });
});

test('several parts of HTML are read one after the other', async () => {
  const several = new URLSearchParams([...Object.entries(fields()), ['body-html', '<p>y</p>']]);
  const parts = new FormData();
  for (const [name, value] of several) parts.append(name, value);
  for (const body of [several, parts])
    expect(await receive(body)).toMatchObject({ html: '<p>x</p>\n<p>y</p>' });
});

test('a field that is there twice says nothing: a sender can add fields', async () => {
  const twice = new URLSearchParams([
    ...Object.entries(fields()),
    ['sender', 'ana@exemplo.com.br'],
    ['recipient', 'x'],
  ]);
  expect(await receive(twice)).toMatchObject({ recipients: [''], sender: 'ana@exemplo.com.br' });
});

describe('a request is forged', () => {
  test.each<[string, Record<string, string>]>([
    ['signed with another key', signAsMailgun(NOW, 'outra-chave')],
    ['without a signature', { signature: '' }],
    ['with a signature of nothing', { signature: '0'.repeat(64) }],
    ['with a signature that is none', { signature: `${'0'.repeat(62)}zz` }],
    ['with another token', { token: 'd'.repeat(50) }],
    ['without a token', { token: '' }],
    ['with a later time written over it', { ...signAsMailgun(NOW - 1_000), timestamp: String(NOW / 1000) }],
    ['with no time', { timestamp: 'agora' }],
  ])('%s', async (_what, changes) => {
    expect(await urlEncoded(changes)).toBe('forged');
  });

  test('six minutes after it was signed, and six before', async () => {
    const body = () => new URLSearchParams(fields());
    expect(await receive(body(), NOW + 290_000)).toMatchObject({ subject: 'Pão' });
    expect(await receive(body(), NOW + 360_000)).toBe('forged');
    expect(await receive(body(), NOW - 360_000)).toBe('forged');
  });

  test.each(['{}', 'recipient=x'])('with another body: %s', async (body) => {
    expect(await receive(body)).toBe('forged');
  });
});

test('a body that is too large is not read to its end', async () => {
  expect(await urlEncoded({ 'body-plain': 'x'.repeat(100_000) })).toBe('too_large');
});
