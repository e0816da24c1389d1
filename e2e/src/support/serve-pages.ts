import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Pages = { readonly url: string; stop(): void };

/** Somebody's pages on this machine, by their paths; others are empty pages with the path for their title. */
export async function servePages(pages: Readonly<Record<string, string>> = {}): Promise<Pages> {
  const server = createServer(({ url = '/' }, response) => {
    const body = pages[url] ?? `<title>Página ${url.slice(1)}</title><p>Conteúdo`;
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><link rel="icon" href="data:,">${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
