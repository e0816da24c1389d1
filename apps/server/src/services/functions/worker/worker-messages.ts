import * as v from 'valibot';

/** What the server tells a new worker. */
export type StartMessage = {
  readonly kind: 'start';
  readonly name: string;
  /** Absolute path of the function's module. */
  readonly entry: string;
  /** Where the worker listens: a socket that only the server's own account reaches. */
  readonly socketPath: string;
  /** All that the function may see of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Specifier to target; paths are absolute (`file:`), packages `npm:`. */
  readonly imports: Readonly<Record<string, string>>;
  /** The folder in whose `node_modules` packages are looked up. */
  readonly packagesFolder: string;
  /** Modules of the server that are loaded before the function. */
  readonly preload: readonly string[];
};

export type ServerMessage = StartMessage | { readonly kind: 'ping' };

const failure = v.object({ name: v.string(), message: v.string(), stack: v.optional(v.string()) });

/** What a worker tells the server. Checked on arrival: it comes from a process that runs anybody's code. */
export const WORKER_MESSAGE_SCHEMA = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('boot_failed'), failure }),
  v.object({ kind: v.literal('pong') }),
  /** Promises handed to `EdgeRuntime.waitUntil` that are still open. */
  v.object({ kind: v.literal('background'), open: v.number() }),
  v.object({ kind: v.literal('crashed'), failure, requestId: v.optional(v.string()) }),
  v.object({
    kind: v.literal('log'),
    level: v.picklist(['debug', 'info', 'warn', 'error']),
    message: v.string(),
    details: v.optional(v.record(v.string(), v.unknown())),
    failure: v.optional(failure),
    requestId: v.optional(v.string()),
  }),
]);

export type WorkerMessage = v.InferOutput<typeof WORKER_MESSAGE_SCHEMA>;
export type WorkerLogMessage = Extract<WorkerMessage, { kind: 'log' }>;
export type Failure = v.InferOutput<typeof failure>;
