import { describe, expect, test, vi } from 'vitest';
import { createCheckLinks } from './create-check-links.ts';

const WORKS = { outcome: 'works', status: 200 };
const GONE = { outcome: 'fails', status: 404 };
const SILENT = { outcome: 'fails', status: null };
const UNSURE = { outcome: 'unsure', status: null };
const link = (name: string, round_of: string | null = 'maria') => ({
  link_id: name,
  url: `https://${name}.br/`,
  round_of,
});

/** An installation that hands out these batches, one a call, and an internet of these verdicts. */
function install(
  batches: readonly (readonly ReturnType<typeof link>[])[],
  verdicts: Readonly<Record<string, object>> = {},
  { clock = (): number => 0, statusOf = (_name: string): number => 200 } = {},
) {
  const left = [...batches];
  const noted: unknown[] = [];
  const headers: (string | null)[] = [];
  const fake: typeof fetch = async (input, init) => {
    const name = new URL(String(input)).pathname.split('/').at(-1) ?? '';
    const body = JSON.parse(String(init?.body));
    headers.push(new Headers(init?.headers).get('authorization'));
    if (statusOf(name) !== 200) return Response.json({}, { status: statusOf(name) });
    if (name === 'take_links_to_check') return Response.json(left.shift() ?? []);
    if (name === 'note_link_checks') {
      noted.push([
        body.round_of,
        ...body.checks.map(
          (check: { link_id: string; outcome: string }) => `${check.link_id} ${check.outcome}`,
        ),
      ]);
      return new Response(null, { status: 204 });
    }
    return Response.json({
      verdicts: body.urls.map((url: string) => verdicts[new URL(url).hostname.replace('.br', '')] ?? WORKS),
    });
  };
  const handle = createCheckLinks({
    access: { fetch: fake, url: 'https://p.supabase.test', key: 'service' },
    operatorKeys: ['service'],
    now: clock,
    budgetMs: 1_000,
  });
  const ask = async (authorization = 'Bearer service', method = 'POST') => {
    const response = await handle(
      new Request('https://p.supabase.test/functions/v1/check-links', { method, headers: { authorization } }),
    );
    return [response.status, await response.json()];
  };
  return { ask, noted, headers };
}

test('all that is due is looked at and noted, and the round goes on', async () => {
  const { ask, noted, headers } = install([[link('a'), link('b')], [link('c', null)]], {
    b: GONE,
    c: UNSURE,
  });
  expect(await ask()).toEqual([200, { checked: 3, failing: 1, complete: true }]);
  expect(noted).toEqual([
    ['maria', 'a works', 'b fails'],
    [null, 'c unsure'],
  ]);
  expect(new Set(headers)).toEqual(new Set(['Bearer service']));
});

describe('while nobody answers, it may be our own network', () => {
  test('and nothing is noted', async () => {
    const { ask, noted } = install([[link('a')], [link('b')]], { a: SILENT, b: SILENT });
    expect(await ask()).toEqual([200, { checked: 0, failing: 0, complete: true }]);
    expect(noted).toEqual([]);
  });

  test('but where one of several does, all of them are noted', async () => {
    const { ask, noted } = install([[link('a'), link('b')]], { a: SILENT, b: GONE });
    expect(await ask()).toEqual([200, { checked: 2, failing: 2, complete: true }]);
    expect(noted).toEqual([['maria', 'a fails', 'b fails']]);
  });

  test('until somebody does: then those before are noted too', async () => {
    const { ask, noted } = install([[link('a')], [link('b', null)], [link('c')]], {
      a: SILENT,
      b: GONE,
      c: SILENT,
    });
    expect(await ask()).toEqual([200, { checked: 3, failing: 3, complete: true }]);
    expect(noted).toEqual([
      ['maria', 'a fails'],
      [null, 'b fails'],
      ['maria', 'c fails'],
    ]);
  });

  test('and what is unsure all the same lets the round go on, without those before', async () => {
    const { ask, noted } = install([[link('a')], [link('b')]], { a: SILENT, b: UNSURE });
    expect(await ask()).toEqual([200, { checked: 1, failing: 0, complete: true }]);
    expect(noted).toEqual([['maria', 'b unsure']]);
  });
});

test('when the time is up the rest is left to the next call', async () => {
  let now = 0;
  const { ask, noted } = install(
    [[link('a')], [link('b')], [link('c')]],
    {},
    {
      clock: () => {
        now += 400;
        return now;
      },
    },
  );
  expect(await ask()).toEqual([200, { checked: 2, failing: 0, complete: false }]);
  expect(noted).toHaveLength(2);
});

test.each(['take_links_to_check', 'link-status', 'note_link_checks'])(
  'where %s does not answer it says so, and leaves no half of it',
  async (name) => {
    const { ask, noted } = install([[link('a')]], {}, { statusOf: (asked) => (asked === name ? 500 : 200) });
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await ask()).toEqual([503, { error: expect.stringMatching(/\S/) }]);
    expect(said.mock.calls).toEqual([['links could not be checked', expect.stringMatching(/\S/)]]);
    said.mockRestore();
    expect(noted).toEqual([]);
  },
);

test.each(['Bearer anon', 'Bearer ', 'Bearer service2'])('%s opens nothing', async (authorization) => {
  const { ask, headers } = install([[link('a')]]);
  expect(await ask(authorization)).toEqual([403, { error: expect.stringMatching(/\S/) }]);
  expect(headers).toEqual([]);
});

test('other methods are refused', async () => {
  expect((await install([]).ask('Bearer service', 'GET'))[0]).toBe(405);
});
