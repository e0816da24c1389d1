import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callPreview } from '../test-support/call-preview.ts';
import { createCertificate } from '../test-support/create-certificate.ts';
import { startInternet, type TestInternet } from '../test-support/start-internet.ts';

const trusted = getCACertificates('default');
let internet: TestInternet;
/** The name each visitor said it wanted. */
const wanted: unknown[] = [];
beforeAll(async () => {
  internet = startInternet();
  const known = createCertificate('seguro.exemplo.com');
  setDefaultCACertificates([...trusted, known.cert]);
  const secure = (certificate: { cert: string; key: string }) => {
    const server = createServer(certificate, ({ headers }, response) => {
      response.setHeader('content-type', 'text/html').end(`<title>${headers.host}</title>`);
    });
    server.on('secureConnection', ({ servername }) => wanted.push(servername));
    return server;
  };
  await internet.plug('93.184.215.14:443', secure(known));
  await internet.plug('93.184.215.15:443', secure(createCertificate('estranho.exemplo.com')));
  internet.name('seguro.exemplo.com', ['93.184.215.14']);
  internet.name('seguro.exemplo.com.', ['93.184.215.14']);
  internet.name('outro.exemplo.com', ['93.184.215.14']);
  internet.name('estranho.exemplo.com', ['93.184.215.15']);
});
beforeEach(() => {
  wanted.length = 0;
  internet.dialled.length = 0;
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await internet.stop();
});

describe('over TLS', () => {
  test('the site is asked for by its name, at the address that was judged', async () => {
    const { status, body } = await callPreview(internet, 'https://seguro.exemplo.com/');
    expect([status, body.title]).toEqual([200, 'seguro.exemplo.com']);
    expect(wanted).toEqual(['seguro.exemplo.com']);
    expect(internet.dialled).toEqual(['93.184.215.14:443']);
  });

  test('a name may end with its dot', async () => {
    expect((await callPreview(internet, 'https://seguro.exemplo.com./')).status).toBe(200);
  });

  test('a certificate of another name is refused', async () => {
    const { status, outcome } = await callPreview(internet, 'https://outro.exemplo.com/');
    expect([status, outcome]).toEqual([502, 'unreachable']);
  });

  test('a certificate of an address is not one of a name', async () => {
    expect((await callPreview(internet, 'https://93.184.215.14/')).status).toBe(502);
  });

  test('a certificate that nobody vouches for is refused', async () => {
    expect((await callPreview(internet, 'https://estranho.exemplo.com/')).status).toBe(502);
  });

  test('a site that does not speak TLS is unreachable', async () => {
    await internet.serveRaw('93.184.215.16:443', (socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400\r\n\r\n')),
    );
    expect((await callPreview(internet, 'https://93.184.215.16/')).status).toBe(502);
  });
});
