import pg from 'pg';
import { expect, it } from 'vitest';
import { SharingConflict } from '../../library/share-category.ts';
import { describeFailure, ToolRefusal } from './tool-refusal.ts';

function databaseError(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}

it.each([
  [new ToolRefusal('Nothing to change.'), 'Nothing to change.'],
  [new SharingConflict(), expect.stringMatching(/Nothing was done/)],
  [databaseError('P0001', 'Limite de 20 links'), 'Limite de 20 links'],
  [
    Object.assign(databaseError('P0001', 'Recurso indisponível'), { hint: 'plan_sharing' }),
    'Recurso indisponível. Compartilhar faz parte dos planos Plus e Pro.',
  ],
  [databaseError('PT404', 'Categoria não encontrada'), 'Categoria não encontrada'],
  [
    databaseError('23503', 'violates links_category_of_same_owner'),
    expect.stringMatching(/no such category/),
  ],
  [databaseError('42501', 'permission denied for table links'), 'The token may not do this.'],
])('is told to the assistant: %s', (error, words) => {
  expect(describeFailure(error)).toEqual(words);
});

it.each([
  databaseError('42703', 'column "secret" does not exist'),
  databaseError('XX000', 'could not open file "/var/lib/…"'),
  new Error('connect ECONNREFUSED 10.0.0.5:5432'),
])('stays in the log: %s', (error) => {
  expect(describeFailure(error)).toBeUndefined();
});
