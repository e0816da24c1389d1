import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Workbox } from 'workbox-window';
import { VersionFoot } from '../components/version-foot.tsx';
import { placeVersionOffer } from './version-offer.ts';
import { explainMissingCode, watchUpdates } from './watch-updates.ts';

const HOUR = 3_600_000;
let now = 0;

beforeEach(() => {
  vi.useFakeTimers();
  // jsdom has none.
  Object.defineProperty(navigator, 'serviceWorker', { value: new EventTarget(), configurable: true });
  // Each test is long after the one before: an offer is not repeated within its minute.
  now += 10 * HOUR;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  document.head.innerHTML = '<script type="module" src="/assets/index-1.js"></script>';
  // jsdom lays nothing out.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  act(() => placeVersionOffer(null));
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.innerHTML = '';
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

function setUp() {
  const worker = new Workbox('/sw.js');
  vi.spyOn(worker, 'register').mockResolvedValue(undefined);
  const update = vi.spyOn(worker, 'update').mockResolvedValue(undefined);
  const skipWaiting = vi.spyOn(worker, 'messageSkipWaiting').mockReturnValue(undefined);
  render(<VersionFoot />);
  const settings = vi.fn(async () => new Response('{}'));
  vi.stubGlobal('fetch', settings);
  const reload = vi.fn();
  watchUpdates(worker, reload);
  const say = (type: string, detail: object = {}) =>
    act(() => worker.dispatchEvent({ type, ...detail } as never));
  return { update, skipWaiting, settings, reload, say };
}

const offers = () => screen.queryAllByRole('region', { name: 'Nova versão disponível' });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('a version that waits is offered; only taking it loads the page anew, once the new worker is in charge', () => {
  const { skipWaiting, reload, say } = setUp();
  expect(offers()).toEqual([]);
  say('waiting');
  expect(offers()).toHaveLength(1);
  expect(screen.getByRole('status').textContent).toContain('Nada do que você digitou se perde.');
  act(() => vi.advanceTimersByTime(HOUR));
  expect(offers()).toHaveLength(1);
  expect(reload).not.toHaveBeenCalled();
  press('Atualizar');
  expect(offers()).toEqual([]);
  expect(skipWaiting).toHaveBeenCalledTimes(1);
  expect(reload).not.toHaveBeenCalled();
  say('controlling', { isUpdate: true });
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a version taken in another tab does not reload this one under a form, it offers to', () => {
  const { reload, say } = setUp();
  say('controlling', { isUpdate: true });
  expect(reload).not.toHaveBeenCalled();
  expect(offers()).toHaveLength(1);
  press('Atualizar');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('put aside it is gone, without loading anything, and leaves no room behind', () => {
  const { skipWaiting, reload, say } = setUp();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(52);
  const room = () => document.documentElement.style.getPropertyValue('--strip-height');
  say('waiting');
  expect(room()).toBe('52px');
  press('Agora não');
  expect(offers()).toEqual([]);
  expect(room()).toBe('');
  expect(skipWaiting).not.toHaveBeenCalled();
  expect(reload).not.toHaveBeenCalled();
});

test('the first worker of all is no new version; it gets hold of the settings for a start without network', () => {
  const { settings, say } = setUp();
  say('controlling', { isUpdate: false });
  expect(offers()).toEqual([]);
  expect(settings).toHaveBeenCalledExactlyOnceWith('/config.json');
});

test('it looks for a new version each hour, and on coming back to the tab after a while', async () => {
  const { update } = setUp();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(update).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(700_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(update).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(update).toHaveBeenCalledTimes(2);
});

const page = (entry: string) => `<script type="module" src="/assets/${entry}"></script>`;

test.each([
  ['another build is there', () => Promise.resolve(new Response(page('index-2.js'))), 1],
  ['it is the same build', () => Promise.resolve(new Response(page('index-1.js'))), 0],
  ['a proxy shows a page of its own', () => Promise.resolve(new Response('Bad gateway', { status: 502 })), 0],
  ['nobody answers', () => Promise.reject(new TypeError('Failed to fetch')), 0],
])('a script that is missing: %s', async (_what, answer, expected) => {
  setUp();
  vi.stubGlobal('fetch', answer);
  await act(() => explainMissingCode(() => undefined));
  expect(offers()).toHaveLength(expected);
});
