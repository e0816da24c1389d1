import { expect, test } from 'vitest';
import { detectDevice, nameBarKeys } from './detect-device.ts';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15';

test.each([
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36', 0, 'computer'],
  ['a Windows that can be touched', 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0', 10, 'computer'],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0', 0, 'computer'],
  ['a Mac', MAC, 0, 'computer'],
  ['an iPad, which calls itself a Mac', MAC, 5, 'ios'],
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1', 5, 'ios'],
  ['Android', 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130.0 Mobile', 5, 'android'],
  ['nothing', '', 0, 'computer'],
])('%s', (_what, userAgent, maxTouchPoints, device) => {
  expect(detectDevice({ userAgent, maxTouchPoints })).toBe(device);
});

test('the keys of the bar are the keyboard’s', () => {
  expect(nameBarKeys({ userAgent: MAC })).toBe('⌘ + Shift + B');
  expect(nameBarKeys({ userAgent: 'Windows NT' })).toBe('Ctrl + Shift + B');
});
