// The part of the hosted platform's runtime that functions may use: our own server offers exactly this much of it.

type ServeInfo = {
  readonly remoteAddr: { readonly transport: 'tcp'; readonly hostname: string; readonly port: number };
  /** Resolves when the answer has gone, or never will. */
  readonly completed: Promise<void>;
};

type ServeHandler = (request: Request, info: ServeInfo) => Response | Promise<Response>;

type ServeOptions = { readonly onError?: (error: unknown) => Response | Promise<Response> };

declare const Deno: {
  serve(handler: ServeHandler): unknown;
  serve(options: ServeOptions, handler: ServeHandler): unknown;
  serve(options: ServeOptions & { readonly handler: ServeHandler }): unknown;
  readonly env: {
    get(name: string): string | undefined;
    has(name: string): boolean;
    set(name: string, value: string): void;
    delete(name: string): void;
    toObject(): Record<string, string>;
  };
  resolveDns(
    host: string,
    type: 'A' | 'AAAA',
    options?: { readonly signal?: AbortSignal },
  ): Promise<string[]>;
};

declare const EdgeRuntime: {
  /** Lets work go on after the answer. */
  waitUntil<T>(work: Promise<T>): Promise<T>;
};
