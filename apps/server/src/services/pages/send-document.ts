import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentCache, Encoding } from './create-document-cache.ts';

export type Drawing = {
  readonly kind: string;
  readonly state: string;
  readonly type: string;
  /** Pictures are compressed already. */
  readonly compressible: boolean;
  /** Whether a proxy may keep it; true where nothing is said. */
  readonly shared?: boolean;
  draw(): string | Buffer | Promise<string | Buffer>;
};

/**
 * Sends a drawing, or says that the client has it already. `no-cache`: whoever keeps a copy, a browser or a proxy, must ask
 * before each use, and each question is answered from the database: no copy outlives a revocation.
 */
export async function sendDocument(
  cache: DocumentCache,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, state, type, compressible, shared = true, draw }: Drawing,
): Promise<FastifyReply> {
  const encoding = compressible ? chooseEncoding(request.headers['accept-encoding']) : 'identity';
  const document = cache.find(kind, state, encoding, draw);
  reply
    .header('cache-control', shared ? 'public, no-cache' : 'private, no-cache')
    .header('etag', document.tag);
  if (compressible) reply.header('vary', 'accept-encoding');
  if (isKnown(request.headers['if-none-match'], document.tag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(type).send(await document.read());
}

/** Weak comparison (RFC 9110, section 13.1.2). */
function isKnown(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** The best encoding that a client takes (RFC 9110, section 12.5.3); 'identity' when it names none of ours. */
function chooseEncoding(accepted: string | undefined): Encoding {
  const refused = new Set<string>();
  const wanted = new Set<string>();
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    (isRefused ? refused : wanted).add(coding);
  }
  const takes = (coding: string) => !refused.has(coding) && (wanted.has(coding) || wanted.has('*'));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}
