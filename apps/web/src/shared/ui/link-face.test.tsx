import { pickHue } from '@linkoteca/domain/pick-hue';
import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { blankFavicon, faviconSources } from '../lib/favicon-sources.ts';
import { LinkFace } from './link-face.tsx';

const first = 'https://exemplo.com.br/pagina';
const second = 'https://outro.com.br';

function renderIcon(url: string) {
  const view = render(<LinkFace url={url} />);
  const icon = () => view.container.querySelector('img') as HTMLImageElement;
  return { ...view, icon, source: () => icon().getAttribute('src'), fail: () => fireEvent.error(icon()) };
}

test('one service after the other is tried, three fallbacks in all, then a blank image stays', () => {
  const { source, fail } = renderIcon(first);
  const seen = [source()];
  for (let failures = 0; failures < 4; failures += 1) {
    fail();
    seen.push(source());
  }
  expect(seen).toEqual([...faviconSources(first), blankFavicon]);
  expect(new Set(seen).size).toBe(5);
  fail();
  expect(source()).toBe(blankFavicon);
});

test('a row that is reused for another link starts at the first service again', () => {
  const { source, fail, rerender } = renderIcon(first);
  fail();
  rerender(<LinkFace url={second} />);
  expect(source()).toBe(faviconSources(second)[0]);
});

test('the fallback that knew a site is asked first when its row comes back; a failure is not remembered', () => {
  const url = 'https://terceiro.com.br';
  const { icon, fail, unmount } = renderIcon(url);
  fail();
  fail();
  fireEvent.load(icon());
  unmount();
  const again = renderIcon(`${url}/outra-pagina`);
  expect(again.source()).toBe(faviconSources(url)[2]);
  again.fail();
  again.fail();
  expect(again.source()).toBe(blankFavicon);
  fireEvent.load(again.icon());
  again.unmount();
  expect(renderIcon(url).source()).toBe(faviconSources(url)[2]);
});

test('a name that must not leave the browser has the blank image at once', () => {
  expect(renderIcon('http://nas.local/').source()).toBe(blankFavicon);
});

test('the icon keeps its place before it is there, and is fetched only when it comes near', () => {
  const { icon, fail } = renderIcon('https://quarto.com.br');
  for (const _ of faviconSources(first)) {
    expect([icon().width, icon().height]).toEqual([16, 16]);
    expect(icon().getAttribute('loading')).toBe('lazy');
    fail();
  }
});

test('the icon says nothing aloud and does not tell the service where it is shown', () => {
  const { icon } = renderIcon(first);
  expect(icon().alt).toBe('');
  expect(icon().getAttribute('referrerpolicy')).toBe('no-referrer');
});

test('the letter of the host stands there until an icon covers it, and stays below a blank one', () => {
  const { container, icon, fail } = renderIcon('https://www.quinto.com.br/pagina');
  const covered = () => icon().dataset['shown'] !== undefined;
  const tile = container.querySelector('[data-letter]') as HTMLElement;
  expect(tile.dataset['letter']).toBe('Q');
  expect(tile.dataset['hue']).toBe(String(pickHue('quinto.com.br')));
  expect(covered()).toBe(false);
  fireEvent.load(icon());
  expect(covered()).toBe(true);

  for (const _ of faviconSources(first)) fail();
  expect(covered()).toBe(false);
  fireEvent.load(icon());
  expect(icon().getAttribute('src')).toBe(blankFavicon);
  expect(covered()).toBe(false);
});

test('a row that is reused shows the letter of its new link, not the old icon', () => {
  const { container, icon, rerender } = renderIcon('https://sexto.com.br');
  fireEvent.load(icon());
  rerender(<LinkFace url="https://oitavo.com.br" />);
  expect(icon().dataset['shown']).toBeUndefined();
  expect(container.querySelector('[data-letter]')?.getAttribute('data-letter')).toBe('O');
});
