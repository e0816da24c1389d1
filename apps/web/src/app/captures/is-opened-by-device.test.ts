import { expect, test } from 'vitest';
import { isOpenedByDevice } from './is-opened-by-device.ts';

const view = ({ standalone = true, referrer = '', opener = null as unknown } = {}) =>
  ({
    matchMedia: (query: string) => ({ matches: standalone && query === '(display-mode: standalone)' }),
    opener,
    document: { referrer },
    location: { origin: 'https://linkoteca.com.br' },
  }) as unknown as Window;

test.each([
  ['the share menu', {}, true],
  ['an app of Android', { referrer: 'android-app://com.whatsapp/' }, true],
  ['the app itself, after signing in', { referrer: 'https://linkoteca.com.br/login' }, true],
  ['a browser’s tab', { standalone: false }, false],
  ['a page of another site that leads into the app', { referrer: 'https://mau.com/' }, false],
  ['a site whose name only begins alike', { referrer: 'https://linkoteca.com.br.mau.com/' }, false],
  ['a window of another page', { opener: {} }, false],
])('%s', (_what, wish, expected) => {
  expect(isOpenedByDevice(view(wish))).toBe(expected);
});
