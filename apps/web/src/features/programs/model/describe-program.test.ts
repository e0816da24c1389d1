import { expect, test } from 'vitest';
import { describeReturn, isSafeAddress, mixesAlphabets, readProgramName } from './describe-program.ts';

test.each([
  ['Leitor', 'Leitor'],
  ['  Leitor \n de\tfeeds ', 'Leitor de feeds'],
  ['', 'Programa sem nome'],
  ['\u200b\u202e\u2066', 'Programa sem nome'],
  ['\u3164\u115f', 'Programa sem nome'],
  ['moc.live\u202eLeitor', 'moc.live Leitor'],
  ['<b>Leitor</b>', '<b>Leitor</b>'],
  ['a\u0301\u0302\u0303\u0304\u0305\u0306', 'á\u0302\u0303'],
  ['x'.repeat(2000), `${'x'.repeat(60)}…`],
  ['😀'.repeat(61), `${'😀'.repeat(60)}…`],
])('a name is one short line of visible text: %j', (name, shown) => {
  expect(readProgramName(name)).toBe(shown);
});

test.each([
  ['Linkoteca', false],
  ['Лента чтения', false],
  ['Leitor для всех', false],
  ['Lіnkoteca', true],
  ['Linκoteca', true],
])('a word of several alphabets is told of: %j', (name, mixed) => {
  expect(mixesAlphabets(name)).toBe(mixed);
});

test.each([
  ['https://programa.exemplo/volta', 'Depois você volta para programa.exemplo'],
  ['https://programa.exemplo:8443/', 'Depois você volta para programa.exemplo:8443'],
  ['https://lіnkoteca.exemplo/', 'Depois você volta para xn--lnkoteca-thh.exemplo'],
  ['http://127.0.0.1:51004/volta', 'Depois você volta a um programa deste computador.'],
  ['http://localhost/volta', 'Depois você volta a um programa deste computador.'],
  ['com.exemplo.app:/volta', 'Depois você volta a um aplicativo deste aparelho (com.exemplo.app)'],
])('where the answer goes is said: %s', (address, words) => {
  expect(describeReturn(address)).toBe(words);
});

test.each([
  ['https://programa.exemplo/', true],
  ['http://127.0.0.1:1/', true],
  ['com.exemplo.app:/volta', true],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  [' data:text/html,x', false],
  ['blob:https://x/', false],
  ['volta', false],
])('nothing that runs is gone to: %s', (address, safe) => {
  expect(isSafeAddress(address)).toBe(safe);
});
