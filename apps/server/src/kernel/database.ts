import type { Duplex } from 'node:stream';
import pg from 'pg';
import {
  type Caller,
  type CallerContext,
  type CallerOptions,
  type CallerRole,
  contextOf,
  ownContext,
  PREPARED_CONTEXTS,
} from './caller-context.ts';
import { createFairShare, type FairShare, type Release } from './fair-share.ts';
import { BytesClient, type RowFields, wantBytes } from './row-bytes.ts';

/** One statement. `name` prepares it once a connection; give it whenever the text is reused. */
export type Statement = {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
  /** A column that is given as a `Buffer`, the bytes of the text that Postgres sent, whatever its type. */
  readonly bytesOf?: string;
};

export type Row = Record<string, unknown>;
export type Rows<T extends Row = Row> = { readonly rows: T[]; readonly rowCount: number };

/** A transaction in which every statement runs as the caller it was opened for. */
export type Transaction = {
  query<T extends Row = Row>(statement: Statement): Promise<Rows<T>>;
};

/** The server's own pool. Statements reach it only through the functions of this file, which say as whom. */
export type Database = { readonly pool: pg.Pool };

/** The parts of pg's wire connection that a caller's query speaks to. */
type WireConnection = {
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void;
  execute(message: { portal: string }): void;
};

/** pg's type declarations leave out the query's protocol handlers, which are its extension point. */
type ProtocolHandlers = {
  prepare(connection: WireConnection): void;
  handleDataRow(message: RowMessage): void;
  handleCommandComplete(message: unknown, connection: WireConnection): void;
};
type RowMessage = { readonly fields: RowFields | readonly (string | null)[] };
type PgResult = { readonly fields: readonly { readonly name: string }[]; readonly rows: Row[] };
const plainQuery = pg.Query.prototype as unknown as ProtocolHandlers;

/** A statement that every connection has prepared, with its values. */
type Preliminary = {
  readonly statement: { readonly name: string; readonly text: string };
  readonly values: readonly string[];
};

/**
 * A query in front of which its caller's role and claims travel: context, query and one Sync are a single implicit
 * transaction in a single round trip, so the context ends with the query, on success and on error alike.
 */
class CallerQuery extends pg.Query implements ProtocolHandlers {
  readonly #preliminaries: readonly Preliminary[];
  readonly #bytesOf: string | undefined;
  /** The driver's own, which its type declarations leave out. */
  declare readonly _result: PgResult;
  #pending: number;

  constructor(
    preliminaries: readonly Preliminary[],
    statement: Statement,
    done: (error: Error | null, rows?: Rows) => void,
  ) {
    // A third argument of pg's own constructor that its type declarations leave out.
    super(...([toQueryConfig(statement), undefined, done] as unknown as [pg.QueryConfig]));
    this.#preliminaries = preliminaries;
    this.#bytesOf = statement.bytesOf;
    this.#pending = preliminaries.length;
  }

  requiresPreparation(): boolean {
    return true;
  }

  prepare(connection: WireConnection): void {
    if (this.#bytesOf !== undefined) wantBytes(connection);
    for (const { statement, values } of this.#preliminaries) {
      connection.bind({ portal: '', statement: statement.name, values });
      connection.execute({ portal: '' });
    }
    plainQuery.prepare.call(this, connection);
  }

  handleDataRow(message: RowMessage): void {
    if (this.#pending > 0) return;
    if (this.#bytesOf === undefined) plainQuery.handleDataRow.call(this, message);
    else this.#addRow(this.#bytesOf, message);
  }

  /** A connection that was opened elsewhere has strings for us. */
  #addRow(bytesOf: string, { fields }: RowMessage): void {
    const at = this._result.fields.findIndex(({ name }) => name === bytesOf);
    const bytes = fields[at] ?? null;
    const others = fields.map((field, index) => (index === at || field === null ? null : field.toString()));
    plainQuery.handleDataRow.call(this, { fields: others });
    const row = this._result.rows.at(-1);
    if (row) row[bytesOf] = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  }

  handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#pending > 0) this.#pending -= 1;
    else plainQuery.handleCommandComplete.call(this, message, connection);
  }
}

function queryAfter(
  client: pg.PoolClient,
  preliminaries: readonly Preliminary[],
  statement: Statement,
): Promise<Rows> {
  return new Promise((resolve, reject) => {
    client.query(
      new CallerQuery(preliminaries, statement, (error, result) => {
        if (error) reject(error);
        else resolve(result as Rows);
      }),
    );
  });
}

/** Says in `pg_stat_activity` what a transaction is for. */
const REASON = {
  name: 'transaction_reason',
  text: `select set_config('application_name', $1, true)`,
} as const;
/** What came before it in the same message is part of the transaction. */
const BEGIN: Statement = { name: 'begin_transaction', text: 'begin' };

function toQueryConfig(statement: Statement): pg.QueryConfig {
  const { text, values = [], name } = statement;
  return name === undefined ? { text, values: [...values] } : { name, text, values: [...values] };
}

/**
 * Opens the pool. The login role is the platform's `authenticator`: it holds no right of its own (NOINHERIT) and can
 * only become one of the caller roles.
 * @param onConnectionLost told of a connection that broke while nobody used it; the pool replaces it by itself.
 */
export function createDatabase(
  config: pg.PoolConfig,
  onConnectionLost: (error: Error) => void = () => undefined,
): Database {
  const pool = new pg.Pool({ ...config, Client: BytesClient, onConnect: prepareConnection });
  // Without a listener the loss of an idle connection (a restart of Postgres) would end the whole process.
  pool.on('error', onConnectionLost);
  return { pool };
}

const prepared = new WeakSet<pg.ClientBase>();

/** Whoever borrows the connection finds the context statements prepared. */
async function prepareConnection(client: pg.ClientBase): Promise<void> {
  // The pool listens only while the connection is idle; lent out, its loss is told to whoever queries it next.
  client.on('error', ignoreLoss);
  containDriverErrors(client);
  for (const { statement, values } of [...PREPARED_CONTEXTS, { statement: REASON, values: [''] }])
    await client.query({ ...statement, values: [...values] });
  prepared.add(client);
}

/**
 * What the driver throws while it reads an answer (one too long for a string, one it cannot parse) would end the process. It
 * ends the connection instead, and the query on it is refused with the error.
 */
function containDriverErrors(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  const listeners = stream.listeners('data') as ((chunk: Buffer) => void)[];
  stream.removeAllListeners('data');
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const listener of listeners) listener.call(stream, chunk);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error('the driver failed', { cause: error }));
    }
  });
}

function ignoreLoss(): void {
  // The borrower's next query is refused, and its connection thrown away.
}

/**
 * Runs one statement as the caller, in one round trip and one implicit transaction.
 * @throws pg.DatabaseError as Postgres raised it (SQLSTATE in `code`).
 */
export async function queryAsCaller<T extends Row = Row>(
  db: Database,
  caller: Caller,
  statement: Statement,
  options: CallerOptions = {},
): Promise<Rows<T>> {
  return queryInContext(db, contextOf(caller, options), statement);
}

/**
 * Runs one statement as the owner of the `realtime` schema, which no request role can reach, in one round trip.
 * @throws pg.DatabaseError as Postgres raised it.
 */
export async function queryAsRealtimeAdmin<T extends Row = Row>(
  db: Database,
  statement: Statement,
): Promise<Rows<T>> {
  return queryInContext(db, REALTIME_ADMIN_CONTEXT, statement);
}

/**
 * Runs one statement of the server's own that reads what holds for many callers of a role: with that role's rights and nobody's
 * claims, which the statement sets for one after the other.
 * @throws pg.DatabaseError as Postgres raised it.
 */
export async function queryAboutCallers<T extends Row = Row>(
  db: Database,
  role: CallerRole,
  statement: Statement,
): Promise<Rows<T>> {
  return queryInContext(db, ownContext(role, { readOnly: true }), statement);
}

/**
 * Runs one statement as the owner of the `storage` schema, which sees every bucket and file, in one round trip.
 * @throws pg.DatabaseError as Postgres raised it.
 */
export async function queryAsStorageAdmin<T extends Row = Row>(
  db: Database,
  statement: Statement,
): Promise<Rows<T>> {
  return queryInContext(db, STORAGE_ADMIN_CONTEXT, statement);
}

/**
 * Runs one statement as the owner of the `auth` schema, which no request role can reach, in one round trip.
 * @throws pg.DatabaseError as Postgres raised it.
 */
export async function queryAsAuthAdmin<T extends Row = Row>(
  db: Database,
  statement: Statement,
): Promise<Rows<T>> {
  return queryInContext(db, AUTH_ADMIN_CONTEXT, statement);
}

async function queryInContext<T extends Row>(
  db: Database,
  context: CallerContext,
  statement: Statement,
): Promise<Rows<T>> {
  const { client, release } = await borrow(db, context);
  try {
    const rows = await queryAfter(client, [context], statement);
    release(false);
    return rows as Rows<T>;
  } catch (error) {
    release(isConnectionLost(error));
    throw error;
  }
}

/** How the connections of each pool are shared out. */
const shares = new WeakMap<pg.Pool, FairShare>();

function shareOf(pool: pg.Pool): FairShare {
  let share = shares.get(pool);
  if (share === undefined) {
    const { max, connectionTimeoutMillis = 0 } = pool.options;
    share = createFairShare({ places: max, patienceMs: connectionTimeoutMillis });
    shares.set(pool, share);
  }
  return share;
}

/** How many wait for a connection. */
export function countWaiting({ pool }: Database): number {
  return shareOf(pool).waiting() + pool.waitingCount;
}

/** For how many milliseconds nobody who asked got a connection soon, and for how many none was given back either. */
export function measureExhaustion({ pool }: Database): {
  readonly unservedMs: number;
  readonly stuckMs: number;
} {
  const share = shareOf(pool);
  return { unservedMs: share.exhaustedFor(), stuckMs: share.stuckFor() };
}

type WaitListener = (seconds: number) => void;
const waitListeners = new WeakMap<pg.Pool, WaitListener>();

/** Tells of everybody who does not get a connection at once: how long they waited, in vain or not. */
export function watchWaiting({ pool }: Database, listener: WaitListener): void {
  waitListeners.set(pool, listener);
}

type Loan = { readonly client: pg.PoolClient; release(isBroken: boolean): void };

/** A connection, when it is the sharer's turn. */
async function borrow({ pool }: Database, { sharer, isCostly }: CallerContext): Promise<Loan> {
  const taken = shareOf(pool).take(sharer, isCostly);
  const isAtOnce = typeof taken === 'function' && pool.idleCount > 0;
  if (isAtOnce) return connect(pool, taken);
  const askedAt = performance.now();
  try {
    return await connect(pool, await taken);
  } finally {
    waitListeners.get(pool)?.((performance.now() - askedAt) / 1000);
  }
}

async function connect(pool: pg.Pool, giveBack: Release): Promise<Loan> {
  try {
    const client = await pool.connect();
    // Of a pool that was opened elsewhere.
    if (!prepared.has(client)) await prepareConnection(client).catch(giveUp(client));
    return {
      client,
      release: (isBroken) => {
        client.release(isBroken);
        giveBack();
      },
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

function giveUp(client: pg.PoolClient) {
  return (error: unknown): never => {
    client.release(true);
    throw error;
  };
}

/** Opens a transaction as the caller; commits when `run` resolves, rolls back when it rejects. */
export async function asCaller<T>(
  db: Database,
  caller: Caller,
  run: (tx: Transaction) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  return inTransaction(db, contextOf(caller, options), run);
}

/**
 * Opens a transaction that steps over row-level security. `reason` is for the reader of the code and of
 * `pg_stat_activity` (it becomes the transaction's application name).
 */
export async function asServiceRole<T>(
  db: Database,
  reason: string,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(db, contextOf(SERVICE_ROLE, {}), run, reason);
}

/** Opens a transaction as the owner of the `auth` schema, which no request role can reach. */
export async function asAuthAdmin<T>(
  db: Database,
  reason: string,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(db, AUTH_ADMIN_CONTEXT, run, reason);
}

/** Opens a transaction that only reads, as the login role itself: what was said of it, and nobody's rows. */
export async function asLoginRole<T>(
  db: Database,
  reason: string,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(db, LOGIN_CONTEXT, run, reason);
}

/** Opens a transaction as the owner of the `storage` schema, which sees every bucket and file whatever policies say. */
export async function asStorageAdmin<T>(
  db: Database,
  reason: string,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(db, STORAGE_ADMIN_CONTEXT, run, reason);
}

/** Opens a transaction as the owner of the payment emulator's schema, which no request role can reach. */
export async function asPaymentEmulator<T>(db: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(db, PAYMENT_EMULATOR_CONTEXT, run);
}

const SERVICE_ROLE: Caller = { role: 'service_role', claims: { role: 'service_role' } };
const LOGIN_CONTEXT = ownContext('none', { readOnly: true });
const AUTH_ADMIN_CONTEXT = ownContext('supabase_auth_admin');
const PAYMENT_EMULATOR_CONTEXT = ownContext('payment_emulator');
const STORAGE_ADMIN_CONTEXT = ownContext('supabase_storage_admin');
const REALTIME_ADMIN_CONTEXT = ownContext('supabase_realtime_admin');

async function inTransaction<T>(
  db: Database,
  context: CallerContext,
  run: (tx: Transaction) => Promise<T>,
  reason = '',
): Promise<T> {
  const { client, release } = await borrow(db, context);
  try {
    const preliminaries = reason === '' ? [context] : [context, { statement: REASON, values: [reason] }];
    await queryAfter(client, preliminaries, BEGIN);
    const result = await run({
      query: async <R extends Row>(statement: Statement) => {
        if (statement.bytesOf !== undefined) return (await queryAfter(client, [], statement)) as Rows<R>;
        const { rows, rowCount } = await client.query<R>(toQueryConfig(statement));
        return { rows, rowCount: rowCount ?? 0 };
      },
    });
    await client.query('commit');
    release(false);
    return result;
  } catch (error) {
    release(await rollBack(client));
    throw error;
  }
}

/** Resolves to true when the connection could not be brought back and must be thrown away. */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return false;
  } catch {
    return true;
  }
}

/** Anything but an answer from Postgres, or an answer of class 57P (shutdown), leaves the connection unusable. */
function isConnectionLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || (error.code ?? '').startsWith('57P');
}
