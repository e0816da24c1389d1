import { Transform } from 'node:stream';

/** Passes bytes on up to a limit. @param exceeded is called once, with the first byte beyond it; nothing goes on then. */
export function limitBody(bytes: number, exceeded: () => void): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const wasWithin = seen <= bytes;
      seen += chunk.length;
      if (seen <= bytes) return done(null, chunk);
      if (wasWithin) exceeded();
      done();
    },
  });
}
