import { expect, it } from 'vitest';
import { Problem } from '../problem.ts';
import { presentRefusal } from './present-refusal.ts';

const errors = [
  { pointer: '#/url', detail: 'a' },
  { pointer: '#/url', detail: 'b' },
  { pointer: '#', detail: 'c' },
];

it.each([
  [new Problem('invalid_content', { errors }), 400, { url: ['a', 'b'], non_field_errors: ['c'] }],
  [
    new Problem('limit_reached', { detail: 'Limite de 20 links' }),
    400,
    { non_field_errors: ['Limite de 20 links'] },
  ],
  [new Problem('not_found', { detail: 'x' }), 404, { detail: 'x' }],
  [new Problem('method_not_allowed', { detail: 'x' }), 405, { detail: 'x' }],
])('is put as Django’s REST framework does: %s', (problem, status, body) => {
  expect(presentRefusal(problem)).toMatchObject({ status, body });
});

it('a challenge names the scheme that these programs know', () => {
  const problem = new Problem('invalid_token', {
    headers: { 'www-authenticate': 'Bearer error="x"', 'retry-after': '1' },
  });
  expect(presentRefusal(problem).headers).toEqual({ 'www-authenticate': 'Token', 'retry-after': '1' });
});
