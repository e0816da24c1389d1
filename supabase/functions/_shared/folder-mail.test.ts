import { expect, test } from 'vitest';
import { writeFolderMail } from './folder-mail.ts';

const FACTS = {
  email: 'ana@exemplo.com.br',
  folderName: 'Receitas',
  role: 'editor',
  senderName: 'Marta',
  firstCategoryId: '5f0c1d6e-3f0a-4a0e-9f4e-0d6a3c1b2a10',
  unsubscribeToken: '11111111-2222-4333-8444-555555555555',
  siteUrl: 'https://links.exemplo.test',
  functionsUrl: 'https://links.exemplo.test/functions/v1',
} as const;
const END = `https://links.exemplo.test/unsubscribe?token=${FACTS.unsubscribeToken}`;

test.each([
  ['viewer', 'Você pode ver.'],
  ['editor', 'Você pode editar.'],
  ['manager', 'Você pode gerenciar.'],
] as const)('tells a %s who shares what and what they may do, in both of its forms', (role, may) => {
  const { to, subject, text, html } = writeFolderMail({ ...FACTS, role });
  expect([to, subject]).toEqual(['ana@exemplo.com.br', 'Marta compartilhou a pasta “Receitas” com você']);
  for (const form of [text, html]) {
    expect(form).toContain('Marta compartilhou uma pasta com você');
    expect(form).toContain('“Receitas”');
    expect(form).toContain(may);
    expect(form).toContain('porque Marta deu a ana@exemplo.com.br acesso a esta pasta');
    expect(form).toContain(`https://links.exemplo.test/category/${FACTS.firstCategoryId}`);
    expect(form).toContain(END);
  }
});

test('of a folder without categories leads to what is shared with one', () => {
  const { html, text } = writeFolderMail({ ...FACTS, firstCategoryId: null });
  expect(text).not.toContain('/category/');
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
  expect(new Set(links)).toEqual(new Set(['https://links.exemplo.test/dashboard', END]));
});

test('makes no link, markup or header of what others wrote', () => {
  const { subject, html, text } = writeFolderMail({
    ...FACTS,
    folderName: '<a href="https://mal.example">clique</a>',
    senderName: `Banco\r\nBcc: x@mal.example'><script>alert(1)</script>`,
  });
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
  expect(new Set(links)).toEqual(
    new Set([`https://links.exemplo.test/category/${FACTS.firstCategoryId}`, END]),
  );
  expect(html).not.toMatch(/<script|<img|<form/i);
  expect(subject).not.toMatch(/[\r\n]/);
  for (const form of [subject, text, html]) expect(form).not.toMatch(/mal\.example|:\/\/mal|@mal/);
});

test('the button of a mail program ends these mails with one press (RFC 8058)', () => {
  expect(writeFolderMail(FACTS).headers).toEqual({
    'List-Unsubscribe': `<https://links.exemplo.test/functions/v1/share-unsubscribe?token=${FACTS.unsubscribeToken}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Auto-Submitted': 'auto-generated',
  });
});

test('whoever has no name is "Usuário"', () => {
  expect(writeFolderMail({ ...FACTS, senderName: null }).subject).toBe(
    'Usuário compartilhou a pasta “Receitas” com você',
  );
});
