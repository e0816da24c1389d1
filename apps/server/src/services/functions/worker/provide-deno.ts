import { Resolver } from 'node:dns/promises';

export type FunctionHandler = (request: Request, info: ServeInfo) => Response | Promise<Response>;

export type ServeInfo = {
  readonly remoteAddr: { readonly transport: 'tcp'; readonly hostname: string; readonly port: number };
  readonly completed: Promise<void>;
};

export type Served = {
  readonly handle: FunctionHandler;
  /** Makes the answer when the handler throws. */
  readonly onError: ((error: unknown) => Response | Promise<Response>) | undefined;
};

type ServeOptions = {
  readonly handler?: FunctionHandler;
  readonly onError?: Served['onError'];
  readonly onListen?: (address: object) => void;
};

const ADDRESS = { transport: 'tcp', hostname: '0.0.0.0', port: 8000 } as const;

/**
 * The part of Deno that functions of the hosted platform use (supabase/functions/deno.d.ts names all of it).
 * @returns what the function serves, once it has called `Deno.serve`.
 */
export function provideDeno(): () => Served | undefined {
  let served: Served | undefined;
  const deno = {
    version: { deno: '2.1.4', v8: process.versions.v8, typescript: '5.6.2' },
    build: { os: process.platform, arch: process.arch },
    env: {
      get: (name: string) => process.env[name],
      has: (name: string) => process.env[name] !== undefined,
      set(name: string, value: string) {
        process.env[name] = value;
      },
      delete(name: string) {
        delete process.env[name];
      },
      toObject: () => ({ ...process.env }),
    },
    serve(first: FunctionHandler | ServeOptions, second?: FunctionHandler) {
      if (served) throw new Error('Deno.serve has been called already');
      const options = typeof first === 'function' ? {} : first;
      const handle = typeof first === 'function' ? first : (second ?? first.handler);
      if (typeof handle !== 'function') throw new TypeError('Deno.serve needs a handler');
      served = { handle, onError: options.onError };
      options.onListen?.(ADDRESS);
      // It serves until the worker ends.
      return {
        addr: ADDRESS,
        finished: new Promise(() => undefined),
        shutdown: async () => undefined,
        ref() {},
        unref() {},
      };
    },
    resolveDns,
    unrefTimer: () => undefined,
  };
  Object.defineProperty(globalThis, 'Deno', { value: Object.freeze(deno) });
  return () => served;
}

async function resolveDns(host: string, type: string, { signal }: { signal?: AbortSignal } = {}) {
  signal?.throwIfAborted();
  const resolver = new Resolver();
  const stop = () => resolver.cancel();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await resolver.resolve(host, type);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
