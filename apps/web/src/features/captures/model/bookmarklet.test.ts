import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildBookmarklet } from './bookmarklet.ts';

afterEach(() => {
  document.title = '';
  document.body.replaceChildren();
});

/** Runs it as a browser does with a favourite, and tells which window it opened. */
function press(address: string) {
  const opened = vi.fn();
  const { location, document: page, getSelection } = window;
  const code = decodeURIComponent(address.replace(/^javascript:/, ''));
  new Function('window', 'location', 'document', code)(
    { open: opened, getSelection: getSelection.bind(window) },
    { href: location.href },
    page,
  );
  expect(opened).toHaveBeenCalledOnce();
  const [url, target, features] = opened.mock.calls[0] ?? [];
  expect([target, features]).toEqual(['_blank', 'popup,width=480,height=640']);
  return new URL(String(url));
}

describe('the bookmarklet', () => {
  test('opens the small window with address, title and what is marked', () => {
    document.title = 'Pão & “bolo” <b>';
    document.body.textContent = 'Receita da avó';
    window.getSelection()?.selectAllChildren(document.body);
    const url = press(buildBookmarklet('https://linkoteca.com.br', null));
    expect(`${url.origin}${url.pathname}`).toBe('https://linkoteca.com.br/salvar');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      url: window.location.href,
      title: 'Pão & “bolo” <b>',
      text: 'Receita da avó',
    });
  });

  test('names the category that was chosen', () => {
    const url = press(buildBookmarklet('https://a.br', '7f0c'));
    expect(url.searchParams.get('category')).toBe('7f0c');
  });

  test('stays an address that every server takes, whatever the page says', () => {
    document.title = '💡'.repeat(1_000_000);
    document.body.textContent = '\ud83d'.repeat(500_000) + '€'.repeat(500_000);
    window.getSelection()?.selectAllChildren(document.body);
    expect(press(buildBookmarklet('https://a.br', null)).href.length).toBeLessThan(8_000);
  });

  test('is nothing but a favourite of a browser: no blank, no quotation mark, nothing to break out of', () => {
    const address = buildBookmarklet('https://a.br"+alert(1)+"', '"+alert(1)+"');
    expect(address).toMatch(/^javascript:[\w%.!~*'()-]+$/);
    expect(press(address).searchParams.get('category')).toBe('"+alert(1)+"');
  });
});
