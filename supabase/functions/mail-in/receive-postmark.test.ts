import { describe, expect, test } from 'vitest';
import { basicAuth, HOOK_SECRET, postmarkMessage } from '../_shared/test-support/incoming-mails.ts';
import { receivePostmark } from './receive-postmark.ts';

const TERMS = { secret: HOOK_SECRET, maxBytes: 100_000, now: 0 };
const receive = (message: unknown, headers: Record<string, string> = basicAuth()) =>
  receivePostmark(
    new Request('https://p.test/', { method: 'POST', headers, body: JSON.stringify(message) }),
    TERMS,
  );

type Header = { Name: string; Value: string };
/** Whether a message with these headers counts as its sender's. */
async function isVerified(headers: readonly Header[], sender = 'ana@exemplo.com.br') {
  const mail = await receive({ ...postmarkMessage({ sender }), Headers: headers });
  return typeof mail === 'object' && mail.isVerified;
}
const spf = (result: string, from = 'ana@exemplo.com.br') => ({
  Name: 'Received-SPF',
  Value: `${result} (sender SPF) identity=mailfrom; client-ip=209.85.160.180; helo=mail.exemplo; envelope-from=${from}; receiver=x`,
});
const found = (tests: string) => ({ Name: 'X-Spam-Tests', Value: tests });

test('a message is read as Postmark posts it', async () => {
  expect(await receive(postmarkMessage({ sender: 'Ana@Exemplo.com.br', html: '<p>x</p>' }))).toMatchObject({
    recipients: [`${'a'.repeat(24)}@entrada.exemplo.com.br`],
    sender: 'ana@exemplo.com.br',
    isVerified: true,
    subject: 'Pão',
    text: 'https://pao.com.br/',
    html: '<p>x</p>',
    fallbackId: '73e6d360-66eb-11e1-8e72-a8904824019b',
  });
});

describe('who it is from counts when', () => {
  test.each<[string, readonly Header[]]>([
    ['SPF passed for its domain', [spf('Pass')]],
    ['its author’s domain has signed it', [spf('SoftFail'), found('DKIM_SIGNED,DKIM_VALID,DKIM_VALID_AU')]],
    ['it is written with spaces', [found('DKIM_SIGNED, DKIM_VALID_AU')]],
  ])('%s', async (_what, headers) => {
    expect(await isVerified(headers)).toBe(true);
  });

  test('SPF passed for the domain above its own', async () => {
    expect(await isVerified([spf('pass', 'x@exemplo.com.br')], 'ana@loja.exemplo.com.br')).toBe(true);
  });
});

describe('who it is from does not count when', () => {
  test.each<[string, readonly Header[]]>([
    ['nothing is said', []],
    ['SPF did not pass', [spf('SoftFail')]],
    ['SPF passed for somebody else', [spf('Pass', 'ladrao@outro.com')]],
    ['SPF passed for a domain that only ends alike', [spf('Pass', 'x@mau-exemplo.com.br')]],
    ['SPF passed for a domain below it', [spf('Pass', 'x@loja.exemplo.com.br')]],
    ['SPF passed for a top domain', [spf('Pass', 'x@br')]],
    ['another domain has signed it', [found('DKIM_SIGNED,DKIM_VALID')]],
    ['the sender wrote that SPF passed, and it did not', [spf('Fail'), spf('Pass')]],
    ['the sender wrote it in front', [spf('Pass'), spf('Fail')]],
    ['the sender wrote that it is signed', [found('DKIM_SIGNED'), found('DKIM_VALID_AU')]],
    ['a finding only begins alike', [found('DKIM_VALID_AU_NOT')]],
    [
      'the answer says pass and is none',
      [{ Name: 'Received-SPF', Value: 'None (pass) envelope-from=ana@exemplo.com.br' }],
    ],
  ])('%s', async (_what, headers) => {
    expect(await isVerified(headers)).toBe(false);
  });

  test('it is from nobody', async () => {
    expect(await isVerified([spf('Pass', '')], '')).toBe(false);
  });
});

describe('a request is forged', () => {
  test.each<[string, Record<string, string>]>([
    ['without a password', {}],
    ['with another one', basicAuth('outro')],
    ['with an empty one', basicAuth('')],
    ['with the beginning of it', basicAuth(HOOK_SECRET.slice(0, -1))],
    ['with more than it', basicAuth(`${HOOK_SECRET}x`)],
    ['with it as the user', { authorization: `Basic ${btoa(`${HOOK_SECRET}:`)}` }],
    ['with it as a token', { authorization: `Bearer ${HOOK_SECRET}` }],
    ['with what is no base64', { authorization: 'Basic %%%' }],
  ])('%s', async (_what, headers) => {
    expect(await receive(postmarkMessage(), headers)).toBe('forged');
  });

  test('and its body is not read', async () => {
    let pulled = 0;
    const body = new ReadableStream(
      {
        pull() {
          pulled += 1;
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await receivePostmark(new Request('https://p.test/', init), TERMS)).toBe('forged');
    expect(pulled).toBe(0);
  });
});

test.each([null, 1, 'x', [], [{}]])('what is no message is not one: %j', async (message) => {
  expect(await receive(message)).toBe('unreadable');
});

test('a message whose fields are of other kinds is one of nobody', async () => {
  expect(
    await receive({
      FromFull: [],
      OriginalRecipient: {},
      Subject: 1,
      Headers: [null, 1, { Name: {} }],
      TextBody: [],
    }),
  ).toMatchObject({ recipients: [''], sender: '', isVerified: false, subject: '', text: '' });
});

test('a body that is too large is not read to its end', async () => {
  expect(await receive(postmarkMessage({ text: 'x'.repeat(100_000) }))).toBe('too_large');
});
