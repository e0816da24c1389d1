import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Front = {
  readonly url: string;
  /** Hangs up on everybody from now on, or serves again: the network, or the server, is away. */
  setAway(away: boolean): void;
  /** Serves the text of a path changed, as another build would. */
  change(path: string, edit: (text: string) => string): void;
  /** Answers 404 for what matches, as after another build replaced it. */
  lose(path: RegExp): void;
  close(): Promise<void>;
};

/** A proxy before the server, which a test may take away or have serve another build. Pages find their services here too. */
export async function openFront(serverUrl: string): Promise<Front> {
  let away = false;
  const lost: RegExp[] = [];
  const edits = new Map<string, (text: string) => string>();
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (away) return void incoming.socket.destroy();
    if (lost.some((pattern) => pattern.test(path))) return void outgoing.writeHead(404).end();
    const edit = edits.get(path.split('?')[0] ?? '');
    const headers = { ...incoming.headers };
    // An edited text must arrive as text, and always.
    if (edit)
      for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name];
    const onward = ask(`${serverUrl}${path}`, { method: incoming.method, headers }, (answer) => {
      if (!edit) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        return void answer.pipe(outgoing);
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { 'content-length': _length, etag: _etag, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, kept).end(edit(Buffer.concat(chunks).toString('utf8')));
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  edits.set('/config.json', (text) => text.replaceAll(serverUrl, url));
  return {
    url,
    setAway: (next) => {
      away = next;
      if (next) server.closeAllConnections();
    },
    change: (path, edit) => void edits.set(path, edit),
    lose: (path) => void lost.push(path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
