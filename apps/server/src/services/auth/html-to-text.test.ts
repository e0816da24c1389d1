import { expect, it } from 'vitest';
import { htmlToText } from './html-to-text.ts';

it.each([
  ['<p>Um\n  dois</p><p>Três</p>', 'Um dois\n\nTrês\n'],
  ['a<br>b<br/>c', 'a\nb\nc\n'],
  ['<html><head><title>T</title><style>p{}</style></head><body>Olá</body>', 'Olá\n'],
  ['<a href="https://a.br/?x=1&amp;y=2">Entrar</a>', 'Entrar: https://a.br/?x=1&y=2\n'],
  ['<a href="https://a.br">https://a.br</a>', 'https://a.br\n'],
  ['<a name="x">sem endereço</a>', 'sem endereço\n'],
  ['<table><tr><td>A</td></tr><tr><td>B</td></tr></table>', 'A\n\nB\n'],
  ['1 &lt; 2 &amp; 3', '1 < 2 & 3\n'],
  ['<script>alert(1)</script>Fim<p>', 'Fim\n'],
  ['', '\n'],
])('%j', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});
