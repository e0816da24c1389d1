import { describe, expect, test } from 'vitest';
import { columnsOf, parseRow } from './rows.ts';

const LINK = {
  id: 'l',
  title: 'Receitas',
  url: 'https://exemplo.com.br',
  description: null,
  category_id: 'c',
  user_id: 'u',
  created_at: '2026-05-11T12:00:00Z',
  updated_at: '2026-05-11T12:00:00Z',
  added_by_name: null,
};

test('the columns that are asked for leave out what the app does without', () => {
  expect(columnsOf('links').split(',').toSorted()).toEqual(Object.keys(LINK).toSorted());
  expect(columnsOf('folders').split(',')).not.toContain('shared_with');
  expect(columnsOf('categories').split(',')).not.toContain('name_users');
});

describe('a row of what a change feed tells', () => {
  test('is whole, and holds no more than the app reads', () => {
    expect(parseRow('links', { ...LINK, search_text: 'receitas' })).toEqual(LINK);
    const { description, ...rest } = LINK;
    expect(parseRow('links', rest)).toEqual({ ...rest, description: null });
  });

  test.each(['id', 'title', 'category_id', 'updated_at'])('is none without its %s', (column) => {
    expect(parseRow('links', { ...LINK, [column]: undefined })).toBeNull();
    expect(parseRow('links', { ...LINK, [column]: 7 })).toBeNull();
  });

  test('is none when a yes or no is neither', () => {
    const category = { ...LINK, name: 'Receitas', folder_id: 'f', is_public: true };
    expect(parseRow('categories', category)?.is_public).toBe(true);
    expect(parseRow('categories', { ...category, is_public: 'true' })).toBeNull();
    expect(parseRow('categories', { ...category, is_public: undefined })).toBeNull();
  });
});
