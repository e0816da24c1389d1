import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writePng } from './draw-page-images.ts';
import type { Pages } from './serve-pages.ts';

/** The image of what only members see: of the usual shape. */
const PICTURE = writePng({ width: 1200, height: 630, rgb: [196, 92, 60] });
const HOSTILE_BYTES = 100 * 1024 * 1024;

const page = (title: string, image: string) =>
  `<!doctype html><link rel="icon" href="data:,"><title>${title}</title><meta property="og:image" content="${image}"><p>Conteúdo`;

/** What a site answers, whose images only members get, and some of whose images are none. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, isMember: boolean) => void>> = {
  '/entrar': (response) =>
    response.writeHead(303, { 'set-cookie': 'membro=1; HttpOnly; Path=/', location: '/diario' }).end(),
  '/diario': (response, isMember) =>
    response
      .writeHead(isMember ? 200 : 403, { 'content-type': 'text/html; charset=utf-8' })
      .end(isMember ? page('Diário', '/capa.png') : 'Só para membros'),
  '/capa.png': (response, isMember) =>
    isMember
      ? response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE)
      : response.writeHead(403).end(),
  // A hundred megabytes that begin as an image.
  '/enorme.png': (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.write(PICTURE.subarray(0, 64));
    const piece = Buffer.alloc(65_536);
    let left = HOSTILE_BYTES;
    const send = () => {
      while (left > 0 && !response.destroyed) {
        left -= piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on('drain', send);
    send();
  },
  '/calada.png': () => undefined,
  '/desenho.png': (response) =>
    response
      .writeHead(200, { 'content-type': 'image/svg+xml' })
      .end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><script>document.title = "tomado"</script></svg>',
      ),
  '/pagina.png': (response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html><p>Não sou uma imagem'),
};

export type MembersPages = Pages & {
  /** The paths that were asked for so far. */
  readonly asked: ReadonlySet<string>;
  /** Those whose answer nobody heard to its end. */
  readonly cutOff: ReadonlySet<string>;
};

/** A site for members, whose images the server could not fetch; and its pages that name hostile images: `/hostil/NAME`. */
export async function serveMembersPages(): Promise<MembersPages> {
  const asked = new Set<string>();
  const cutOff = new Set<string>();
  const server = createServer(({ url = '/', headers }, response) => {
    asked.add(url);
    response.on('close', () => response.writableFinished || cutOff.add(url));
    const hostile = /^\/hostil\/(\w+)$/.exec(url)?.[1];
    if (hostile !== undefined)
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(page(`Página ${hostile}`, `/${hostile}.png`));
    else if (ANSWERS[url]) ANSWERS[url](response, /\bmembro=1\b/.test(headers.cookie ?? ''));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    cutOff,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
