import type { SharedPage } from '@linkoteca/domain/sharing';
import { describe, expect, it } from 'vitest';
import { describeFeed, renderAtom, renderJsonFeed, renderRss } from './feeds.ts';

const HOSTILE = `]]></title><script>alert("1")</script> & 'aspas'\u0000\u0008\uFFFF\uD800 \u202E🌸`;
const ESCAPED =
  ']]&gt;&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;aspas&#39;\uFFFD \u202E🌸';

const page: SharedPage = {
  category: {
    id: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
    name: HOSTILE,
    description: null,
    owner_name: '  ',
    link_count: 1,
    updated_at: '2026-01-02T00:00:00.5+00:00',
  },
  links: [
    {
      id: '00000000-0000-4000-8000-000000000001',
      url: `https://exemplo.com.br/?a=1&b="<>'`,
      title: HOSTILE,
      description: HOSTILE,
      created_at: '2026-01-01T00:00:00.123456+00:00',
      updated_at: '2026-01-03T00:00:00+00:00',
    },
  ],
  hasOlder: false,
  before: null,
};
const feed = describeFeed(page, 'https://links.example.com');

/** Every tag closes the one that is open; nothing but text and known entities stands between. */
function readElements(xml: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  const body = xml.replace(/^<\?xml [^?]*\?>/, '');
  for (const [, text = '', tag = ''] of body.matchAll(/([^<]*)(<[^>]*>|$)/g)) {
    expect(text.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[&<>]/);
    const [, isEnd, name = '', isEmpty] = /^<(\/?)([\w:]+)(?:\s[^<>]*?)?(\/?)>$/.exec(tag) ?? [];
    if (name === '') expect(tag).toBe('');
    else if (isEnd) expect(open.pop()).toBe(name);
    else {
      seen.push(name);
      if (!isEmpty) open.push(name);
    }
  }
  expect(open).toEqual([]);
  return seen;
}

describe.each([
  ['RSS', renderRss, 'item'],
  ['Atom', renderAtom, 'entry'],
])('%s', (_name, render, entry) => {
  const xml = render(feed);

  it('stays well-formed under hostile texts, and says them as they are', () => {
    const elements = readElements(xml);
    expect(elements.filter((name) => name === entry)).toHaveLength(1);
    expect(elements).not.toContain('script');
    expect(xml).toContain(`<title>${ESCAPED}</title>`);
    expect(xml).toContain('https://exemplo.com.br/?a=1&amp;b=&quot;&lt;&gt;&#39;');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
    expect(xml).not.toMatch(/[\u0000\u0008\uFFFF]/);
  });

  it('names the owner, the page, itself, and when something changed last', () => {
    expect(xml).toContain('Usuário');
    expect(xml).toContain(
      'https://links.example.com/shared/title-script-alert-1-script-aspas--B1Prn3sQdCnZQCgyR5r9g',
    );
    expect(xml).toMatch(/2026-01-03T00:00:00.000Z|Sat, 03 Jan 2026 00:00:00 GMT/);
    expect(xml).toContain('urn:uuid:00000000-0000-4000-8000-000000000001');
  });
});

it.each(['-infinity', 'infinity', '294276-12-31T23:59:59+00:00', '4713-01-01T00:00:00+00:00 BC'])(
  'a link dated %s is an entry like any other',
  (moment) => {
    const links = page.links.map((link) => ({ ...link, created_at: moment, updated_at: moment }));
    const odd = describeFeed({ ...page, links }, 'https://links.example.com');
    for (const text of [renderRss(odd), renderAtom(odd), renderJsonFeed(odd)]) {
      expect(text).toContain('urn:uuid:00000000-0000-4000-8000-000000000001');
      expect(text).not.toContain('Invalid Date');
    }
    expect(renderAtom(odd)).toContain('<published>1970-01-01T00:00:00.000Z</published>');
    expect(renderAtom(odd)).toContain('<updated>2026-01-02T00:00:00.500Z</updated>');
  },
);

it('RSS takes descriptions for markup: theirs is escaped as text', () => {
  expect(renderRss(feed)).toContain('&amp;lt;script&amp;gt;');
});

it('a JSON feed says the same, as text', () => {
  expect(JSON.parse(renderJsonFeed(feed))).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    title: HOSTILE,
    authors: [{ name: 'Usuário' }],
    items: [{ title: HOSTILE, content_text: HOSTILE, url: page.links[0]?.url }],
  });
});

it('a category without links still has its feeds', () => {
  const empty = describeFeed({ ...page, links: [] }, 'https://links.example.com');
  expect(readElements(renderRss(empty))).not.toContain('item');
  expect(readElements(renderAtom(empty))).toContain('updated');
  expect(JSON.parse(renderJsonFeed(empty))).toMatchObject({ items: [] });
});
