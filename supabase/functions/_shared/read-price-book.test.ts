import { expect, test } from 'vitest';
import { readPriceBook } from './read-price-book.ts';

const SETTINGS: Record<string, string> = {
  STRIPE_PRICE_PLUS_MONTHLY: 'price_1',
  STRIPE_PRICE_PLUS_YEARLY: 'price_2',
  STRIPE_PRICE_PRO_MONTHLY: 'price_3',
  STRIPE_PRICE_PRO_YEARLY: 'price_4',
};
const open = (changes: Record<string, string> = {}) =>
  readPriceBook((name) => ({ ...SETTINGS, ...changes })[name] ?? '');

test('knows each price in both directions', () => {
  const book = open();
  for (const price of book.prices) {
    expect(book.find(price.priceId)).toEqual(price);
    expect(book.idOf(price.plan, price.interval)).toBe(price.priceId);
  }
  expect(book.find('price_2')).toEqual({ priceId: 'price_2', plan: 'plus', interval: 'year' });
});

test('knows no other id, however it is spelled', () => {
  const book = open();
  for (const id of ['', 'free', 'plus', 'PRICE_1', ' price_1', 'price_12', '__proto__', 'toString'])
    expect(book.find(id)).toBeUndefined();
});

test('does not begin with half a list, or one that says two things', () => {
  expect(() => open({ STRIPE_PRICE_PRO_YEARLY: '' })).toThrow('STRIPE_PRICE_PRO_YEARLY is not set');
  expect(() => open({ STRIPE_PRICE_PRO_YEARLY: 'price_1' })).toThrow('name the same price');
});

test('an earlier price is still known, and no longer sold', () => {
  const book = open({ STRIPE_PRICE_PLUS_MONTHLY: 'price_new, price_1,price_0' });
  for (const id of ['price_new', 'price_1', 'price_0'])
    expect(book.find(id)).toEqual({ priceId: id, plan: 'plus', interval: 'month' });
  expect(book.findSold('price_new')?.plan).toBe('plus');
  for (const id of ['price_1', 'price_0', 'price_new, price_1,price_0'])
    expect(book.findSold(id)).toBeUndefined();
  expect([book.prices.length, book.idOf('plus', 'month')]).toEqual([4, 'price_new']);
  expect(() => open({ STRIPE_PRICE_PRO_YEARLY: 'price_4,price_1' })).toThrow('name the same price');
  expect(() => open({ STRIPE_PRICE_PRO_YEARLY: ' , ' })).toThrow('is not set');
});
