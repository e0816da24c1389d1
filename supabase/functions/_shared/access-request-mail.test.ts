import { expect, test } from 'vitest';
import { writeAccessRequestMail } from './access-request-mail.ts';

const FACTS = {
  email: 'marta@exemplo.com.br',
  categoryId: '5f0c1d6e-3f0a-4a0e-9f4e-0d6a3c1b2a10',
  categoryName: 'Receitas',
  askerName: 'Ana',
  askerEmail: 'ana@exemplo.com.br',
  note: 'Sou da turma 9B',
  unsubscribeToken: '11111111-2222-4333-8444-555555555555',
  siteUrl: 'https://links.exemplo.test',
  functionsUrl: 'https://links.exemplo.test/functions/v1',
} as const;
const ANSWER = `https://links.exemplo.test/category/${FACTS.categoryId}?share=1`;
const END = `https://links.exemplo.test/unsubscribe?token=${FACTS.unsubscribeToken}`;
const linksOf = (html: string) => new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link));

test('says who asks for what, and leads to the answer', () => {
  const { to, subject, text, html, headers } = writeAccessRequestMail(FACTS);
  expect([to, subject]).toEqual(['marta@exemplo.com.br', 'Ana pede acesso a “Receitas”']);
  for (const form of [text, html]) {
    expect(form).toContain('Ana pede acesso a uma categoria sua');
    expect(form).toContain('Quem pede: ana@exemplo.com.br');
    expect(form).toContain('Mensagem: “Sou da turma 9B”');
    expect(form).not.toContain('crie uma');
  }
  expect(linksOf(html)).toEqual(new Set([ANSWER, END]));
  expect(headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' });
});

test('says nothing of a message that nobody wrote', () => {
  expect(writeAccessRequestMail({ ...FACTS, note: '' }).text).not.toContain('Mensagem');
});

test('makes no link, markup or header of what others wrote', () => {
  const { subject, html, text } = writeAccessRequestMail({
    ...FACTS,
    askerName: `Banco\r\nBcc: x@mal.example'><script>alert(1)</script>`,
    note: '<a href="https://mal.example">clique</a> www.mal.example',
  });
  expect(linksOf(html)).toEqual(new Set([ANSWER, END]));
  expect(html).not.toMatch(/<script|<img|<form/i);
  expect(subject).not.toMatch(/[\r\n]/);
  for (const form of [subject, text, html]) expect(form).not.toMatch(/mal\.example|:\/\/mal|@mal/);
});
