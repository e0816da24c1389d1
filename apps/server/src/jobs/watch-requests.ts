import type { Server } from 'node:http';

/** Tells of each POST to one of these addresses that was answered well. @param addresses matched from the path's beginning on. */
export function watchRequests(server: Server, addresses: RegExp, onDone: () => void): void {
  server.on('request', ({ method, url = '' }, response) => {
    if (method !== 'POST' || !addresses.test(url)) return;
    response.once('finish', () => {
      if (response.statusCode < 400) onDone();
    });
  });
}
