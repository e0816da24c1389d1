import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createCertificate } from '../../../services/functions/test-support/create-certificate.ts';
import { startInternet, type TestInternet } from '../../../services/functions/test-support/start-internet.ts';

/** What a receiver was sent. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

type Answer = (response: ServerResponse, received: Received) => void;

export type Receivers = {
  readonly internet: TestInternet;
  readonly received: Received[];
  /** What is answered from now on; 204 at the start. */
  answer(answer: Answer): void;
  stop(): Promise<void>;
};

export const RECEIVER = 'recebe.exemplo.com.br';
export const ADDRESS = '93.184.215.14';

/** One receiver of webhooks with a certificate of its own on an internet of local servers, at `https://recebe.exemplo.com.br`. */
export async function startReceivers(): Promise<Receivers> {
  const trusted = getCACertificates('default');
  const certificate = createCertificate(RECEIVER);
  setDefaultCACertificates([...trusted, certificate.cert]);
  const internet = startInternet();
  const received: Received[] = [];
  const accept: Answer = (response) => void response.writeHead(204).end();
  let answer = accept;
  const server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      path: String(request.url),
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    received.push(one);
    answer(response, one);
  });
  server.on('tlsClientError', () => undefined);
  await internet.plug(`${ADDRESS}:443`, server);
  internet.name(RECEIVER, [ADDRESS]);
  return {
    internet,
    received,
    answer: (wanted) => {
      answer = wanted;
    },
    stop: async () => {
      setDefaultCACertificates(trusted);
      await internet.stop();
    },
  };
}
