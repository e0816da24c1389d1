import type { SharedLink, SharedPage } from '@linkoteca/domain/sharing';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPageRenderer } from './create-page-renderer.tsx';

const HOSTILE = `</title></script><script>alert("1")</script><img src=x onerror=alert(1)> '" \u202Eolé`;
const ID = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';
const PATH = '/shared/receitas-da-vovo--B1Prn3sQdCnZQCgyR5r9g';
const site = { origin: 'https://links.example.com', anonKey: 'anon"key' };
const renderer = createPageRenderer({
  css: 'a{color:red}@font-face{src:url(/assets/inter-1.woff2)}',
  headScript: 'head()',
  bodyScript: 'follow()',
});

function link(number: number, changes: Partial<SharedLink> = {}): SharedLink {
  return {
    id: String(number),
    url: `https://exemplo.com.br/${number}`,
    title: `Link ${number}`,
    description: null,
    created_at: `2026-01-${String(number).padStart(2, '0')}T02:00:00.123456+00:00`,
    updated_at: '2026-01-01T00:00:00+00:00',
    ...changes,
  };
}

function page(changes: Partial<SharedPage> = {}, category: Partial<SharedPage['category']> = {}): SharedPage {
  return {
    category: {
      id: ID,
      name: 'Receitas da Vovó',
      description: 'Doces e salgados',
      owner_name: 'Marta',
      link_count: 2,
      updated_at: '2026-01-02T00:00:00+00:00',
      ...category,
    },
    links: [link(2), link(1)],
    hasOlder: false,
    before: null,
    ...changes,
  };
}

/** As a browser reads it that runs no script. */
const read = (html: string) => new DOMParser().parseFromString(html, 'text/html');
const draw = (...[drawn, view]: [SharedPage, ('cards' | 'list')?]) =>
  read(renderer.renderPage(drawn, view ?? 'cards', site));
const meta = (document: Document, name: string) =>
  document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content');

describe('the page of a public category', () => {
  let document: Document;
  beforeAll(() => {
    document = draw(page());
  });

  test('says whose it is, what it holds and where it stands', () => {
    expect(document.documentElement.lang).toBe('pt-BR');
    expect(document.title).toBe('Receitas da Vovó · Linkoteca');
    expect(document.querySelector('h1')?.textContent).toBe('Receitas da Vovó');
    const words = document.querySelector('main')?.textContent ?? '';
    for (const part of [
      'Doces e salgados',
      'Compartilhado por: Marta',
      '2 links',
      'Link 2',
      'exemplo.com.br',
    ])
      expect(words).toContain(part);
    // Two in the morning in Greenwich is the day before in Brasília.
    expect(words).toContain('01/01/2026');
    expect(document.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(`${site.origin}${PATH}`);
    expect(meta(document, 'description')).toBe('Doces e salgados');
    expect(meta(document, 'og:image')).toMatch(
      /^https:\/\/links\.example\.com\/shared\/.+\/image\.png\?v=\d+-2$/,
    );
    expect(meta(document, 'og:locale')).toBe('pt_BR');
    const feeds = [...document.querySelectorAll('link[rel=alternate]')].map((feed) =>
      feed.getAttribute('type'),
    );
    expect(feeds).toEqual(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);
  });

  test('opens links in a new tab that knows nothing of this one, and vouches for none', () => {
    const [first] = document.querySelectorAll('main li a');
    expect(first?.getAttribute('href')).toBe('https://exemplo.com.br/2');
    expect(first?.getAttribute('target')).toBe('_blank');
    expect(first?.getAttribute('rel')).toBe('noopener nofollow ugc');
  });

  test('invites visitors and leads members to the app', () => {
    const hrefs = (who: string) =>
      [...document.querySelectorAll(`[data-for=${who}]`)].map((part) => [
        part.textContent,
        part.getAttribute('href'),
      ]);
    expect(hrefs('visitor').slice(0, 2)).toEqual([
      ['Entrar', `/login?from=${encodeURIComponent(`${PATH}?app=1`)}`],
      ['Criar Conta', `/signup?from=${encodeURIComponent(`${PATH}?app=1`)}`],
    ]);
    expect(hrefs('member')).toEqual([
      ['Abrir meus links', '/dashboard'],
      ['Copiar para minha biblioteca', `${PATH}?app=1&copy=1`],
    ]);
  });

  test('eight links can be filtered and ordered, by a way to where all of them are read; fewer cannot', () => {
    const way = (count: number) =>
      [...draw(page({}, { link_count: count })).querySelectorAll('[data-key=f]')].map((each) =>
        each.getAttribute('href'),
      );
    expect([way(8), way(7)]).toEqual([[`${PATH}?app=1&filter=1`], []]);
  });

  test('carries no other script than its own two, and no handler', () => {
    const scripts = [...document.querySelectorAll('script')];
    const kinds = scripts.map(({ type, textContent }) => type || textContent);
    expect(kinds).toEqual(expect.arrayContaining(['application/ld+json', 'head()', 'follow()']));
    expect(scripts).toHaveLength(3);
  });

  test('an unknown owner is a user, and a category without words says what it holds', () => {
    const bare = draw(page({}, { owner_name: ' ', description: null, link_count: 1234 }));
    expect(bare.querySelector('main')?.textContent).toContain('Compartilhado por: Usuário');
    expect(meta(bare, 'description')).toBe('1.234 links reunidos por Usuário na Linkoteca.');
  });

  test('without links it says so', () => {
    const empty = draw(page({ links: [] }, { link_count: 0 }));
    expect(empty.querySelector('main')?.textContent).toContain('Nenhum link encontrado nesta categoria');
  });
});

test.each(['cards', 'list'] as const)('pages and views are plain links that keep each other (%s)', (view) => {
  const document = draw(page({ hasOlder: true, before: '2026-02-01T00:00:00.5+00:00' }), view);
  const hrefs = [...document.querySelectorAll('main nav a')].map((part) => part.getAttribute('href'));
  const kept = view === 'list' ? 'view=list&' : '';
  expect(hrefs).toEqual([
    `${PATH}?before=2026-02-01T00%3A00%3A00.5%2B00%3A00`,
    `${PATH}?view=list&before=2026-02-01T00%3A00%3A00.5%2B00%3A00`,
    `${PATH}${view === 'list' ? '?view=list' : ''}`,
    `${PATH}?${kept}before=2026-01-01T02%3A00%3A00.123456%2B00%3A00%2C1`,
  ]);
  expect(document.querySelector('nav [aria-current=true]')?.textContent).toBe(
    view === 'list' ? 'Lista' : 'Cartões',
  );
  expect(document.querySelector('link[rel=canonical]')?.getAttribute('href')).toContain('before=2026-02-01');
});

test('hostile texts stay texts everywhere', () => {
  const hostile = link(1, { title: HOSTILE, description: HOSTILE, url: `https://x.br/"><script>1</script>` });
  const drawn = page({ links: [hostile] }, { name: HOSTILE, description: HOSTILE, owner_name: HOSTILE });
  for (const html of [
    renderer.renderPage(drawn, 'cards', site),
    renderer.renderPage(drawn, 'list', site),
    renderer.renderEmbed(drawn, site),
  ]) {
    const document = read(html);
    expect(document.querySelector('h1')?.textContent).toBe(HOSTILE);
    expect(document.title).toContain('alert');
    expect(document.querySelectorAll('img[onerror], body > img')).toHaveLength(0);
    for (const script of document.querySelectorAll('script:not([type])'))
      expect(['head()', 'follow()']).toContain(script.textContent);
    const data = document.querySelector('script[type]')?.textContent;
    if (data) expect(JSON.parse(data)).toMatchObject({ name: HOSTILE });
    // Marks of direction end with the element they stand in.
    expect(document.querySelector('h1')?.getAttribute('dir')).toBe('auto');
  }
});

test.each(['javascript:alert(1)', 'data:text/html,x', ' javascript:alert(1)', 'file:///etc/passwd'])(
  '%j would lead nowhere',
  (url) => {
    const document = draw(page({ links: [link(1, { url })] }));
    expect(document.querySelector('main li a')?.hasAttribute('href')).toBe(false);
  },
);

test('the frame shows the newest links and the way to the page, without the following script', () => {
  const document = read(renderer.renderEmbed(page(), site));
  expect(document.querySelectorAll('li')).toHaveLength(2);
  expect(document.querySelector('main a')?.getAttribute('href')).toBe(`${site.origin}${PATH}`);
  expect(document.documentElement.outerHTML).not.toContain('follow()');
});

test('the other pages say what is the matter', () => {
  expect(read(renderer.renderMissingEmbed()).querySelector('h1')?.textContent).toBe(
    'Categoria não encontrada',
  );
  const later = read(renderer.renderUnavailable());
  expect(later.querySelector('h1')?.textContent).toBe('Voltamos já');
  expect(later.querySelector('form button')?.textContent).toBe('Tentar de novo');
});
