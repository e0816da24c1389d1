import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ViteDevServer } from 'vite';
import { expect, test, vi } from 'vitest';
import { serveSitePages } from './serve-site-pages.ts';

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** The plugin in a development server whose source draws these pages. */
async function ask(
  method: string,
  url: string,
  draw = async () => ({ drawSitePages: () => ({ front: '<a>{{origin}}</a>', terms: '{{support}}' }) }),
) {
  let middleware: Middleware | undefined;
  const ssrLoadModule = vi.fn(draw);
  const server = {
    ssrLoadModule,
    middlewares: {
      use: (added: Middleware) => {
        middleware = added;
      },
    },
  };
  const { configureServer } = serveSitePages();
  if (typeof configureServer === 'function')
    configureServer.call({} as never, server as unknown as ViteDevServer);
  const end = vi.fn();
  const next = vi.fn();
  const request = {
    method,
    originalUrl: url,
    headers: { host: 'localhost:5173' },
  } as unknown as IncomingMessage;
  await middleware?.(request, { writeHead: vi.fn(), end } as unknown as ServerResponse, next);
  return { drawn: end.mock.calls.flat(), next: next.mock.calls, loads: ssrLoadModule.mock.calls.length };
}

test('a page of the site is drawn from its source, with what an installation fills in', async () => {
  expect(await ask('GET', '/?code=x')).toEqual({
    drawn: ['<a>http://localhost:5173</a>'],
    next: [],
    loads: 1,
  });
  expect((await ask('GET', '/terms')).drawn).toEqual(['suporte@localhost']);
});

test.each([
  ['GET', '/login'],
  ['GET', '/terms/x'],
  ['POST', '/terms'],
])('%s %s is the app’s, and draws nothing', async (method, url) => {
  expect(await ask(method, url)).toEqual({ drawn: [], next: [[]], loads: 0 });
});

test('a fault in the source is shown by the development server', async () => {
  const fault = new Error('no');
  const answer = await ask('GET', '/', () => Promise.reject(fault));
  expect([answer.drawn, answer.next]).toEqual([[], [[fault]]]);
});
