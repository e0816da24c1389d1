import { describe, expect, it } from 'vitest';
import { parseRequest } from '../parse/parse-request.ts';
import { chooseMedia } from './choose-media.ts';
import { WORKSHOP } from './test-support/plan-workshop.ts';

const JSON_ARRAY = { kind: 'json', single: false, stripNulls: false };

function choose(accept: string | undefined, { path = '/clients', plans = false } = {}) {
  const headers = accept === undefined ? {} : { accept };
  const raw = { method: 'GET', path, queryString: '', headers, body: Buffer.alloc(0) };
  const request = parseRequest(raw, ['workshop']);
  if (!request.ok) throw new Error(request.failure.message);
  return chooseMedia(WORKSHOP, { plans }, request.value);
}

describe('the form of an answer', () => {
  it.each([
    [undefined, JSON_ARRAY],
    ['*/*', JSON_ARRAY],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_ARRAY],
    ['application/vnd.pgrst.object+json', { ...JSON_ARRAY, single: true }],
    ['application/vnd.pgrst.object+json;nulls=stripped', { ...JSON_ARRAY, single: true, stripNulls: true }],
    ['application/vnd.pgrst.array+json;nulls=stripped', { ...JSON_ARRAY, stripNulls: true }],
    ['text/csv', { kind: 'csv' }],
    ['application/json;q=0.5, text/csv', { kind: 'csv' }],
    ['image/png, text/csv', { kind: 'csv' }],
  ])('for %s', (accept, expected) => {
    expect(choose(accept)).toEqual({ ok: true, value: expected });
  });

  it.each(['image/png', 'application/vnd.pgrst.plan+json', 'application/geo+json', 'undefined'])(
    'is none for %s',
    (accept) => {
      expect(choose(accept)).toMatchObject({
        ok: false,
        failure: {
          status: 406,
          code: 'PGRST107',
          message: `None of these media types are available: ${accept}`,
        },
      });
    },
  );

  it('of the description is OpenAPI or JSON, of nothing else', () => {
    for (const accept of ['application/openapi+json', 'application/json', '*/*'])
      expect(choose(accept, { path: '/' })).toEqual({ ok: true, value: JSON_ARRAY });
    expect(choose('application/openapi+json')).toMatchObject({ ok: false });
    expect(choose('text/html', { path: '/' })).toMatchObject({ ok: false });
  });

  it('is a plan where plans are told', () => {
    expect(
      choose('application/vnd.pgrst.plan+json; for="text/csv"; options=analyze', { plans: true }),
    ).toEqual({
      ok: true,
      value: {
        ...{ kind: 'plan', format: 'json', options: ['analyze'], of: { kind: 'csv' } },
        contentType: 'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze; charset=utf-8',
      },
    });
    for (const [asked, of] of [
      ['', 'application/json'],
      ['; for="application/vnd.pgrst.object"', 'application/vnd.pgrst.object+json'],
    ])
      expect(choose(`application/vnd.pgrst.plan${asked}`, { plans: true })).toMatchObject({
        value: { contentType: `application/vnd.pgrst.plan+text; for="${of}"; charset=utf-8` },
      });
    expect(choose('application/vnd.pgrst.plan; for="image/png"', { plans: true })).toMatchObject({
      ok: false,
    });
  });
});
