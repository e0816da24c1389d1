import type { Client } from './generated/client/index.js';

export type Connection = {
  /** Where the installation is: `https://links.exemplo.com.br`. */
  readonly siteUrl: string;
  /** A personal token, or a program's; a function is asked before each call. */
  readonly token: string | (() => string | Promise<string>);
  /** Instead of the environment's own. */
  readonly fetch?: typeof globalThis.fetch;
};

/**
 * A connection for the operations of this package: `createLink({ client, body })`. Each resolves to `{ data }` or `{ error }`, a problem of
 * RFC 9457; with `throwOnError: true` the problem is thrown.
 * @throws TypeError where `siteUrl` is no address
 */
export declare function connectLinkoteca(connection: Connection): Client;
