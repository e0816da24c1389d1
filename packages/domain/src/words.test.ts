import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDate, formatLongDate } from './dates.ts';
import { formatCount, formatNumber, formatPrice } from './formats.ts';
import { describeBulkDeletion } from './messages/link-messages.ts';
import {
  describeCategoryLimit,
  describeLinkLimit,
  describeRemainingLinks,
  usagePercent,
} from './messages/plan-messages.ts';
import { describeRoomierPlan } from './messages/room-messages.ts';
import { describeOwner } from './messages/sharing-messages.ts';
import { HUE_COUNT, pickHue } from './pick-hue.ts';
import { isPlanId, PLAN_IDS, PLANS } from './plans.ts';
import { readRefusal } from './read-refusal.ts';

test('prices, numbers and dates read as in Brazil', () => {
  expect(formatPrice(PLANS.plus.monthlyPriceCents)).toBe('US$ 1,99');
  expect(formatPrice(PLANS.pro.yearlyPriceCents)).toBe('US$ 39,90');
  expect(formatPrice(199, 'brl')).toBe('R$ 1,99');
  expect(formatPrice(199, 'JPY')).toBe('JP¥ 199');
  expect(formatNumber(10000)).toBe('10.000');
  expect(formatCount(1, 'link', 'links')).toBe('1 link');
  expect(formatCount(0, 'link', 'links')).toBe('0 links');
  expect(formatDate('2025-05-11T23:30:00Z', 'America/Sao_Paulo')).toBe('11/05/2025');
  expect(formatDate('2025-05-11T01:30:00Z', 'America/Sao_Paulo')).toBe('10/05/2025');
  expect(formatLongDate('2025-05-11T12:00:00Z', 'UTC')).toBe('11 de maio de 2025');
  expect(formatDate('ontem')).toBe('');
});

test('numbers and dates that are written without Intl are those of Intl', () => {
  const number = new Intl.NumberFormat('pt-BR');
  const day = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric' });
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.nat(20_000)), (value) => {
      // No screen counts down to minus zero.
      expect(formatNumber(value)).toBe(number.format(value === 0 ? 0 : value));
    }),
  );
  const date = fc.date({ min: new Date('1970-01-02'), max: new Date('2999-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (when) => {
      expect(formatDate(when)).toBe(day.format(when));
    }),
  );
  expect(formatNumber(1234.5)).toBe('1.234,5');
});

test('each plan costs what the specification says, in cents a month and a year', () => {
  const prices = PLAN_IDS.map((id) => [PLANS[id].monthlyPriceCents, PLANS[id].yearlyPriceCents]);
  expect(prices).toEqual([
    [0, 0],
    [199, 1990],
    [399, 3990],
  ]);
});

test('each plan offers more than the one before', () => {
  expect(PLAN_IDS).toEqual(['free', 'plus', 'pro']);
  expect(PLANS.free).toMatchObject({ maxLinks: 20, maxCategories: 5, sharing: false, maxReceivedShares: 1 });
  expect(PLANS.plus).toMatchObject({
    maxLinks: 500,
    maxCategories: 20,
    sharing: true,
    maxReceivedShares: null,
  });
  expect(PLANS.pro).toMatchObject({ maxLinks: null, maxCategories: null, sharing: true });
  expect(isPlanId('pro')).toBe(true);
  expect(isPlanId('toString')).toBe(false);
});

describe('the limit banner', () => {
  test.each([
    [17, 20, null],
    [18, 20, 'Apenas 2 links restantes do seu limite de 20.'],
    [19, 20, 'Apenas 1 link restante do seu limite de 20.'],
    [20, 20, 'Você atingiu o limite de 20 links.'],
    [480, 20, 'Você atingiu o limite de 20 links.'],
    [999_999, null, null],
  ])('%i of %s', (used, max, text) => {
    expect(describeRemainingLinks(used, max)).toBe(text);
  });

  test('the percentage stays within 0 and 100', () => {
    expect(usagePercent(5, 20)).toBe(25);
    expect(usagePercent(480, 20)).toBe(100);
    expect(usagePercent(0, 0)).toBe(100);
    expect(usagePercent(5, null)).toBeNull();
  });
});

test('limit and counting sentences', () => {
  expect(describeLinkLimit(20).title).toBe('Limite de 20 links atingido');
  expect(describeLinkLimit(20).description).toBe('Atualize seu plano para adicionar mais links');
  expect(describeCategoryLimit(5).title).toBe('Limite de 5 categorias atingido');
  expect(describeRoomierPlan('maxLinks', 20)).toBe('O Plus leva 500.');
  expect(describeRoomierPlan('maxCategories', 20)).toBe('O Pro não tem limite.');
  expect(describeBulkDeletion(3)).toBe('3 links excluídos com sucesso');
  expect(describeBulkDeletion(1)).toBe('Link excluído com sucesso');
  expect(describeOwner('Ana')).toBe('Por: Ana');
  expect(describeOwner(' ')).toBe('Por: Usuário');
});

describe('refusals of the database', () => {
  const limit = (hint: string, details: unknown) => ({ code: 'P0001', message: 'Limite', hint, details });
  test.each([
    [limit('plan_limit_links', '{"max":500,"plan":"plus"}'), { kind: 'link_limit', max: 500 }],
    [limit('plan_limit_categories', '{"max":20,"plan":"plus"}'), { kind: 'category_limit', max: 20 }],
    [limit('plan_limit_links', 'não é json'), { kind: 'link_limit', max: 20 }],
    [limit('plan_limit_links', '{"max":-1}'), { kind: 'link_limit', max: 20 }],
    [limit('plan_limit_categories', null), { kind: 'category_limit', max: 5 }],
    [limit('plan_limit_folder_members', '{"max":3}'), { kind: 'folder_member_limit', max: 3 }],
    [limit('plan_limit_folder_members', null), { kind: 'folder_member_limit', max: 0 }],
    [limit('plan_sharing', null), { kind: 'sharing_gate' }],
    [limit('plan_limit_shares', null), { kind: 'received_limit' }],
    [limit('outra coisa', null), { kind: 'other' }],
    [
      {
        code: '23505',
        message: 'duplicate key value violates unique constraint "folders_name_unique_per_user"',
      },
      { kind: 'name_taken' },
    ],
    [
      { code: '23505', message: 'duplicate key value violates unique constraint "links_pkey"' },
      { kind: 'already_saved' },
    ],
    [{ code: '42501', message: 'denied' }, { kind: 'other' }],
    [new TypeError('Failed to fetch'), { kind: 'other' }],
    [null, { kind: 'other' }],
    ['P0001', { kind: 'other' }],
  ])('%#', (error, refusal) => {
    expect(readRefusal(error)).toEqual(refusal);
  });
});

test('hues are stable, within range and all in use', () => {
  const hues = Array.from({ length: 400 }, (_, index) => pickHue(`3f2b8c1e-5a4d-4e6f-8a9b-${index}`));
  expect(pickHue('a')).toBe(pickHue('a'));
  expect(new Set(hues).size).toBe(HUE_COUNT);
  expect(hues.every((hue) => hue >= 0 && hue < HUE_COUNT)).toBe(true);
});
