import { shortenText } from '@linkoteca/domain/shorten-text';
import { addressKey } from '@linkoteca/domain/urls';
import { expect, test } from 'vitest';
import {
  describeExcess,
  describeLeftOut,
  describePartialSave,
  describePastedList,
  describePlace,
  describeRoom,
  describeSavedLinks,
} from './adding-messages.ts';

test('numbers agree with their words', () => {
  expect(describeSavedLinks(1)).toBe('Link salvo com sucesso');
  expect(describeSavedLinks(12)).toBe('12 links salvos com sucesso');
  expect(describeRoom(null)).toBeNull();
  expect(describeRoom(0)).toBe('Seu plano não tem mais espaço para links.');
  expect(describeRoom(1)).toBe('Cabe mais 1 link no seu plano.');
  expect(describeRoom(3)).toBe('Cabem mais 3 links no seu plano.');
  expect(describeLeftOut(1, 20)).toBe('1 não cabe no seu plano (20 links) e ficou desmarcado.');
  expect(describeLeftOut(1200, 500)).toBe('1.200 não cabem no seu plano (500 links) e ficaram desmarcados.');
  expect(describeExcess(1)).toBe('Desmarque 1 link para salvar.');
  expect(describePastedList(1, 0, 0)).toBe('1 link encontrado');
  expect(describePastedList(1200, 0, 2)).toBe('1.200 links encontrados · 2 linhas sem link');
  expect(describePastedList(3, 1, 1)).toBe('3 links encontrados · 1 repetido · 1 linha sem link');
  expect(describePartialSave(200, 1450)).toBe('200 de 1.450 links foram salvos');
  expect(describePlace('Estudos', 'Redes')).toBe('Estudos / Redes');
  expect(describePlace('', 'Redes')).toBe('Redes');
});

test('two spellings of one address have one key, two addresses have two', () => {
  const key = addressKey('https://exemplo.com.br/ação');
  expect(addressKey(' HTTPS://Exemplo.com.br:443/a%C3%A7%C3%A3o ')).toBe(key);
  expect(addressKey('exemplo.com.br/ação')).toBe(key);
  expect(addressKey('http://exemplo.com.br/ação')).not.toBe(key);
  expect(addressKey('https://exemplo.com.br/ação#fim')).not.toBe(key);
  expect(addressKey('nada')).toBeNull();
});

test('a long text is cut between words, a long word through its middle, never an emoji', () => {
  expect(shortenText('curto', 5)).toBe('curto');
  expect(shortenText('uma frase comprida', 15)).toBe('uma frase…');
  expect(shortenText('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(shortenText('👍'.repeat(20), 10)).toBe(`${'👍'.repeat(9)}…`);
});
