import { describe, expect, test } from 'vitest';
import { writeShareMail } from './share-mail.ts';

const FACTS = {
  email: 'ana@exemplo.com.br',
  categoryId: '5f0c1d6e-3f0a-4a0e-9f4e-0d6a3c1b2a10',
  categoryName: 'Leituras',
  description: 'Para o clube',
  ownerName: 'Marta',
  unsubscribeToken: '11111111-2222-4333-8444-555555555555',
  siteUrl: 'https://links.exemplo.test',
  functionsUrl: 'https://links.exemplo.test/functions/v1',
};

test('says who shares what, why it came and where to open it, in both of its forms', () => {
  const { to, subject, text, html } = writeShareMail(FACTS);
  expect([to, subject]).toEqual(['ana@exemplo.com.br', 'Marta compartilhou “Leituras” com você']);
  for (const form of [text, html]) {
    expect(form).toContain('Leituras');
    expect(form).toContain('Para o clube');
    expect(form).toContain('porque Marta deu a ana@exemplo.com.br acesso');
    expect(form).toContain(`https://links.exemplo.test/shared/${FACTS.categoryId}`);
    expect(form).toContain(`https://links.exemplo.test/unsubscribe?token=${FACTS.unsubscribeToken}`);
  }
});

test('leads nowhere but to the category and to the page that ends these mails', () => {
  const { html } = writeShareMail({
    ...FACTS,
    categoryName: '<a href="https://mal.example">clique</a>',
    description: 'veja "https://mal.example/x" onload=alert(1)',
    ownerName: `'><script>alert(1)</script>`,
  });
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
  expect(new Set(links)).toEqual(
    new Set([
      `https://links.exemplo.test/shared/${FACTS.categoryId}`,
      `https://links.exemplo.test/unsubscribe?token=${FACTS.unsubscribeToken}`,
    ]),
  );
  expect(html).not.toMatch(/<script|<img|<form/i);
});

describe('what the owner wrote cannot look like a link', () => {
  test.each([
    'https://mal.example/x',
    'www.mal.example',
    'ana@mal.example',
    'mal.example',
    'http:\\\\mal.example',
    'mal．example',
    'ana＠mal。example',
  ])('%s', (words) => {
    const mail = writeShareMail({ ...FACTS, categoryName: words, description: words, ownerName: words });
    for (const form of [mail.subject, mail.text, mail.html]) {
      expect(form).not.toContain(words);
      expect(form).not.toMatch(/mal\.example|:\/\/mal|@mal/);
    }
    expect(mail.subject.replaceAll('\u200B', '')).not.toMatch(/mal[.．。]example|[@＠/\\]/);
    expect(mail.text.replaceAll('\u200B', '')).toContain(words);
  });
});

test('names stay on one line, in their direction, and short', () => {
  const mail = writeShareMail({
    ...FACTS,
    ownerName: `Marta\r\nBcc: x\u202Egro ${'a'.repeat(200)}`,
    categoryName: 'Um\u2028dois\u0000',
  });
  expect(mail.subject).toMatch(/^Marta Bcc: xgro …|^Marta Bcc: xgro a+…/);
  expect(mail.subject).toContain('“Um dois”');
  expect(mail.subject).not.toMatch(/[\r\n\u202E]/);
  expect(mail.subject.length).toBeLessThan(130);
});

test('names bring no invisible character and no pile of marks into a subject', () => {
  const ownerName = `Mar\u2066ta\u{E0041}\u3164 \u00ADSilva${'\u0301'.repeat(500)}`;
  const { subject } = writeShareMail({ ...FACTS, ownerName, categoryName: 'Família 👩‍👩‍👧 Node.js' });
  expect(subject).toBe(`Marta Silva${'\u0301'.repeat(4)} compartilhou “Família 👩‍👩‍👧 Node js” com você`);
});

test('an owner without a name is "Usuário", and without a description none is told', () => {
  const mail = writeShareMail({ ...FACTS, ownerName: ' \u200B ', description: '' });
  expect(mail.subject).toBe('Usuário compartilhou “Leituras” com você');
  expect(mail.text).not.toContain('Descrição');
});

test('the button of a mail program ends these mails with one press (RFC 8058)', () => {
  expect(writeShareMail(FACTS).headers).toMatchObject({
    'List-Unsubscribe': `<https://links.exemplo.test/functions/v1/share-unsubscribe?token=${FACTS.unsubscribeToken}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});
