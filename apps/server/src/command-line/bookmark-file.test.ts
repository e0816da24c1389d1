import { describe, expect, it } from 'vitest';
import { readBookmarkFile, writeBookmarkFile } from './bookmark-file.ts';

const link = {
  url: 'https://exemplo.test/?a="1"&b=<2>',
  title: 'Bolo </A><script>"&"',
  description: 'De fubá <b>',
  tags: ['doces', 'festa'],
  created_at: '2026-11-25T18:00:00.123456Z',
};

describe('a bookmark file', () => {
  it('is read as it was written, with no markup but its own', () => {
    const text = writeBookmarkFile([{ folder: 'Casa & cia', category: 'Bolos', links: [link] }]);
    expect(text).toMatch(/^<!DOCTYPE NETSCAPE-Bookmark-file-1>/);
    expect(text).toContain('ADD_DATE="1795629600"');
    expect(text).not.toMatch(/<script|<b>/);
    const { url, title, tags } = link;
    expect(readBookmarkFile(text)).toEqual([{ url: url.replaceAll(' ', '%20'), title, tags }]);
  });

  it('has each address once, and none that is no web address', () => {
    const html = `<DL><DT><A HREF="https://a.test/">A</A><DT><a href="https://a.test/">B</a>
      <DT><A HREF="javascript:alert(1)">C</A><DT><A HREF="place:sort=8">D</A><DT><A>E</A><DT><A HREF="HTTPS://b.test/x">F`;
    expect(readBookmarkFile(html)).toEqual([
      { url: 'https://a.test/', title: 'A', tags: [] },
      { url: 'HTTPS://b.test/x', title: 'F', tags: [] },
    ]);
  });

  it('may be a text with one address in each line', () => {
    expect(readBookmarkFile('https://a.test/\r\n\nnada\nexemplo.com.br\n').map(({ url }) => url)).toEqual([
      'https://a.test/',
      'https://exemplo.com.br',
    ]);
  });
});
