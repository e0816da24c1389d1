import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Problem, presentProblem, toProblem } from './problem.ts';

function databaseError(code: string, message: string, constraint?: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, constraint });
}

const present = (error: unknown) => presentProblem(toProblem(error), 'https://links.test');

describe('a problem', () => {
  it('is presented as problem details', () => {
    expect(present(new Problem('not_found'))).toEqual({
      type: 'https://links.test/api/v1/docs#not_found',
      title: 'Not found',
      status: 404,
      detail: 'Isso não existe, ou não é mostrado a você.',
      code: 'not_found',
    });
  });

  it.each([
    [
      databaseError('P0001', 'Limite de 20 links atingido'),
      403,
      'limit_reached',
      'Limite de 20 links atingido',
    ],
    [databaseError('PT404', 'Categoria não encontrada'), 404, 'not_found', 'Categoria não encontrada'],
    [databaseError('PT429', 'Muitas chaves'), 429, 'too_many_requests', 'Muitas chaves'],
    [
      databaseError('23505', 'duplicate key', 'folders_name_unique_per_user'),
      409,
      'already_exists',
      'Já existe uma pasta com esse nome',
    ],
    [
      databaseError('23503', 'violates foreign key', 'links_category_of_same_owner'),
      422,
      'invalid_content',
      'Categoria não encontrada',
    ],
    [
      databaseError('42501', 'permission denied'),
      403,
      'insufficient_scope',
      'Este token não pode fazer isso.',
    ],
  ])('is told of the database in the words of the screens: %s', (error, status, code, detail) => {
    expect(present(error)).toMatchObject({ status, code, detail });
  });

  it.each([
    [databaseError('42703', 'column "secret" does not exist'), 500],
    [databaseError('XX000', 'could not open file "/var/secret"'), 500],
    [databaseError('57014', 'canceling statement secret'), 503],
    [databaseError('57P01', 'terminating secret'), 503],
    [Object.assign(new Error('connect secret'), { code: 'ECONNREFUSED' }), 503],
    [Object.assign(new Error('secret'), { statusCode: 400 }), 400],
    [Object.assign(new Error('secret'), { statusCode: 413 }), 413],
    [new TypeError('secret is undefined'), 500],
  ])('keeps to the log what nobody shall read: %s', (error, status) => {
    expect(present(error).status).toBe(status);
    expect(JSON.stringify(present(error))).not.toContain('secret');
  });
});
