import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A drawn answer in one encoding. `tag` is its strong entity tag. */
export type CachedDocument = { readonly tag: string; read(): Promise<Buffer> };

export type DocumentCache = {
  /**
   * @param kind which of the drawings, with everything that decides on it beside `state`.
   * @param state names exactly what the answer is drawn from, as it was read from the database for this very request.
   */
  find(
    kind: string,
    state: string,
    encoding: Encoding,
    draw: () => string | Buffer | Promise<string | Buffer>,
  ): CachedDocument;
};

const MOST_BYTES = 48 * 1024 * 1024;
/** What is compressed as it comes: as fast as gzip, and smaller. */
const FAST = 4;
/** What is compressed once for all who come. */
export const SMALLEST = constants.BROTLI_MAX_QUALITY;
const GZIP = { level: 5 };
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Drawn and compressed answers, named by what they are drawn from. It cannot hold anything too long: who asks has just read
 * the state from the database, and another state has another name.
 * @param version of the drawing code: an answer of an older release is never "not modified".
 * @param quality of Brotli, 0 to 11.
 */
export function createDocumentCache(version: string, quality = FAST): DocumentCache {
  const bodies = new LRUCache<string, Buffer>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ length }) => length + 256,
  });
  const underWay = new Map<string, Promise<Buffer>>();

  const make = async (
    name: string,
    encoding: Encoding,
    draw: () => string | Buffer | Promise<string | Buffer>,
  ) => {
    const body = await compress(Buffer.from(await draw()), encoding, quality);
    bodies.set(name, body);
    return body;
  };

  return {
    find(kind, state, encoding, draw) {
      const hash = createHash('sha256')
        .update(`${version}\0${kind}\0`)
        .update(state)
        .digest('base64url')
        .slice(0, 27);
      const name = encoding === 'identity' ? hash : `${hash}-${encoding}`;
      return {
        tag: `"${name}"`,
        async read() {
          const known = bodies.get(name);
          if (known !== undefined) return known;
          let making = underWay.get(name);
          if (making === undefined) {
            making = make(name, encoding, draw).finally(() => underWay.delete(name));
            underWay.set(name, making);
          }
          return making;
        },
      };
    },
  };
}

function compress(body: Buffer, encoding: Encoding, quality: number): Buffer | Promise<Buffer> {
  if (encoding === 'br') return toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  return encoding === 'gzip' ? toGzip(body, GZIP) : body;
}
