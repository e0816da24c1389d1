import { describe, expect, test } from 'vitest';
import { describePage } from './preview-page.ts';

const read = (head: string) =>
  describePage(`<!doctype html><html lang="pt-BR"><head>${head}</head><body></body>`);

describe('the title', () => {
  test.each([
    ['<title>Receitas</title>', 'Receitas'],
    ['<title>Site</title><meta property="og:title" content="Bolo de fubá">', 'Bolo de fubá'],
    ['<title>Site</title><meta name="twitter:title" content="Bolo">', 'Bolo'],
    ['<meta name="twitter:title" content="Bolo"><meta property="og:title" content="Fubá">', 'Fubá'],
    ['<meta name="og:title" content="Com name">', 'Com name'],
    ['<META PROPERTY="OG:Title" CONTENT="Maiúsculas">', 'Maiúsculas'],
    ["<meta content='Ao contrário' property='og:title'>", 'Ao contrário'],
    ['<meta property="og:title" content="  "><title>Reserva</title>', 'Reserva'],
    ['<meta property="og:title"><title>Reserva</title>', 'Reserva'],
    [
      '<title>P&atilde;o &amp; caf&eacute; &#8212; &#x1F35E; &quot;bom&quot;</title>',
      'Pão & café — 🍞 "bom"',
    ],
    ['<title>\n  Muito\t\tespaço&nbsp;&nbsp;aqui \r\n</title>', 'Muito espaço aqui'],
    ['<title>Um &lt;b&gt; e <b>tags</b></title>', 'Um <b> e <b>tags</b>'],
    ['<title>Primeiro</title><title>Segundo</title>', 'Primeiro'],
    ['<svg><title>Desenho</title></svg><title>Página</title>', 'Página'],
    ['<script>"<title>Não</title>"</script><title>Sim</title>', 'Sim'],
    ['<!-- <title>Não</title> --><title>Sim</title>', 'Sim'],
    ['<title>Nulo\u0000 e \u0007 sino</title>', 'Nulo e sino'],
    ['<title></title>', null],
    ['', null],
  ])('%s', (head, title) => {
    expect(read(head).title).toBe(title);
  });

  test('is cut to a hundred characters, never through one', () => {
    const title = read(`<title>${'👍'.repeat(150)}</title>`).title ?? '';
    expect(title).toBe(`${'👍'.repeat(99)}…`);
    expect(title.isWellFormed()).toBe(true);
  });

  test('is found where there is no head, and where the page breaks off', () => {
    expect(describePage('<title>Sem cabeça</title><p>oi').title).toBe('Sem cabeça');
    expect(describePage('<head><title>Cortad').title).toBe('Cortad');
    expect(describePage('texto puro').title).toBeNull();
  });

  test('is not taken from the body', () => {
    expect(describePage('<head></head><body><title>Corpo</title>').title).toBeNull();
    expect(describePage('<body><meta property="og:title" content="Comentário de alguém">').title).toBeNull();
  });
});

describe('the description', () => {
  test.each([
    ['<meta name="description" content="Simples">', 'Simples'],
    [
      '<meta name="description" content="Simples"><meta property="og:description" content="Aberta">',
      'Aberta',
    ],
    ['<meta name="description" content="Simples"><meta name="twitter:description" content="Pio">', 'Pio'],
    ['<meta name="description" content="Linha um&#10;linha   dois">', 'Linha um linha dois'],
    ['<meta name="description" content="">', null],
  ])('%s', (head, description) => {
    expect(read(head).description).toBe(description);
  });

  test('is cut to 1,200 characters', () => {
    const { description } = read(`<meta name="description" content="${'é'.repeat(3_000)}">`);
    expect(description).toHaveLength(1_200);
  });
});
