import { expect, test } from 'vitest';
import { createDatabase } from '../session/database.ts';
import { suggestLinks } from './suggest-links.ts';

const INSTALLATION = {
  origin: 'https://a.example',
  servicesUrl: 'https://a.example',
  anonKey: 'anon',
  clientId: null,
};
const HOSTILE = {
  title: '<match>R&D</match> "x"',
  url: 'https://b.example/?a=1&b=<c>',
  category_name: "D'Ávila",
};

function serve(answer: () => Response) {
  const asked: unknown[] = [];
  const request: typeof fetch = async (_input, init) => {
    asked.push(JSON.parse(String(init?.body)));
    return answer();
  };
  return { asked, database: createDatabase(INSTALLATION, async () => 'token', request) };
}

test('links are suggested, and what they say is no markup', async () => {
  const { asked, database } = serve(() => Response.json([HOSTILE]));
  expect(await suggestLinks(database, 'r&d', true)).toEqual([
    {
      content: 'https://b.example/?a=1&b=<c>',
      description:
        '&lt;match&gt;R&amp;D&lt;/match&gt; &quot;x&quot; <dim>— D&apos;Ávila</dim> ' +
        '<url>https://b.example/?a=1&amp;b=&lt;c&gt;</url>',
    },
  ]);
  expect(asked).toEqual([{ term: 'r&d', max_results: 6 }]);
});

test('a browser that shows them as they are gets them as they are', async () => {
  const { database } = serve(() => Response.json([HOSTILE]));
  const [suggestion] = await suggestLinks(database, 'r', false);
  expect(suggestion?.description).toBe(`<match>R&D</match> "x" — D'Ávila ${HOSTILE.url}`);
});

test('nothing is asked for nothing, and nobody who cannot answer is waited for', async () => {
  const { asked, database } = serve(() => {
    throw new TypeError('Failed to fetch');
  });
  expect(await suggestLinks(database, '  ', true)).toEqual([]);
  expect(asked).toEqual([]);
  expect(await suggestLinks(database, 'x', true)).toEqual([]);
});
