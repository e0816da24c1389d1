import pg from 'pg';
import type { Caller, RequestContext } from './caller.ts';

/** One statement. `name` prepares it once a connection; give it whenever the text is reused. */
export type Statement = {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
};

export type Row = Record<string, unknown>;
export type Rows<T extends Row = Row> = { readonly rows: T[]; readonly rowCount: number };

/** A transaction in which every statement runs as the caller it was opened for. */
export type Transaction = {
  query<T extends Row = Row>(statement: Statement): Promise<Rows<T>>;
};

/** The server's own pool. Statements reach it only through the functions of this file, which say as whom. */
export type Database = { readonly pool: pg.Pool };

export type CallerOptions = {
  readonly request?: RequestContext;
  /** A read must not write: Postgres answers 25006. */
  readonly readOnly?: boolean;
};

const CONTEXT_STATEMENT = 'caller_context';
const CONTEXT_TEXT = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.method', $3, true), set_config('request.path', $4, true),
  set_config('request.headers', $5, true), set_config('transaction_read_only', $6, true),
  set_config('request.jwt.claim.sub', $7, true), set_config('request.jwt.claim.session_id', $8, true)`;

/** Claims are the same object from token cache hit to token cache hit: serialise them once. */
const serialisedClaims = new WeakMap<object, string>();

/** A caller's claims as JSON text, as `request.jwt.claims` holds them. */
export function serialiseClaims(claims: Caller['claims']): string {
  const known = serialisedClaims.get(claims);
  if (known !== undefined) return known;
  const text = JSON.stringify(claims);
  serialisedClaims.set(claims, text);
  return text;
}

function contextValues(caller: Caller, options: CallerOptions): string[] {
  const { request, readOnly = false } = options;
  return [
    caller.role,
    serialiseClaims(caller.claims),
    request?.method ?? '',
    request?.path ?? '',
    request ? JSON.stringify(request.headers) : '',
    readOnly ? 'on' : 'off',
    // The two that every statement asks for: claims that need not be parsed again.
    readId(caller.claims['sub']),
    readId(caller.claims['session_id']),
  ];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Empty for what is none: the database then reads the claims itself, and says what is wrong with them. */
function readId(claim: unknown): string {
  return typeof claim === 'string' && UUID.test(claim) ? claim : '';
}

/** The parts of pg's wire connection that a caller's query speaks to. */
type WireConnection = {
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void;
  execute(message: { portal: string }): void;
};

/** pg's type declarations leave out the query's protocol handlers, which are its extension point. */
type ProtocolHandlers = {
  prepare(connection: WireConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: WireConnection): void;
};
const plainQuery = pg.Query.prototype as unknown as ProtocolHandlers;

/**
 * A query in front of which its caller's role and claims travel: context, query and one Sync are a single implicit
 * transaction in a single round trip, so the context ends with the query, on success and on error alike.
 */
class CallerQuery extends pg.Query implements ProtocolHandlers {
  readonly #context: readonly string[];
  #contextPending = true;

  constructor(
    context: readonly string[],
    statement: Statement,
    done: (error: Error | null, rows?: Rows) => void,
  ) {
    // A third argument of pg's own constructor that its type declarations leave out.
    super(...([toQueryConfig(statement), undefined, done] as unknown as [pg.QueryConfig]));
    this.#context = context;
  }

  requiresPreparation(): boolean {
    return true;
  }

  prepare(connection: WireConnection): void {
    connection.bind({ portal: '', statement: CONTEXT_STATEMENT, values: this.#context });
    connection.execute({ portal: '' });
    plainQuery.prepare.call(this, connection);
  }

  handleDataRow(message: unknown): void {
    if (!this.#contextPending) plainQuery.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#contextPending) this.#contextPending = false;
    else plainQuery.handleCommandComplete.call(this, message, connection);
  }
}

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
  const pool = new pg.Pool(config);
  // Without a listener the loss of an idle connection (a restart of Postgres) would end the whole process.
  pool.on('error', onConnectionLost);
  pool.on('connect', (client) => {
    // The pool listens only while the connection is idle; lent out, its loss is told to whoever queries it next.
    client.on('error', ignoreLoss);
    // Queued before the first caller's query, so the context statement is always known to the connection.
    client
      .query({
        name: CONTEXT_STATEMENT,
        text: CONTEXT_TEXT,
        values: ['none', '', '', '', '', 'off', '', ''],
      })
      .catch(() => client.emit('error', new Error('the caller context could not be prepared')));
  });
  return { pool };
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
  return queryInContext(db, contextValues(caller, options), statement);
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
 * Runs one statement as the owner of the `storage` schema, which sees every bucket and file, in one round trip.
 * @throws pg.DatabaseError as Postgres raised it.
 */
export async function queryAsStorageAdmin<T extends Row = Row>(
  db: Database,
  statement: Statement,
): Promise<Rows<T>> {
  return queryInContext(db, STORAGE_ADMIN_CONTEXT, statement);
}

async function queryInContext<T extends Row>(
  db: Database,
  context: readonly string[],
  statement: Statement,
): Promise<Rows<T>> {
  const client = await db.pool.connect();
  try {
    const rows = await new Promise<Rows>((resolve, reject) => {
      client.query(
        new CallerQuery(context, statement, (error, result) => {
          if (error) reject(error);
          else resolve(result as Rows);
        }),
      );
    });
    client.release();
    return rows as Rows<T>;
  } catch (error) {
    client.release(isConnectionLost(error));
    throw error;
  }
}

/** Opens a transaction as the caller; commits when `run` resolves, rolls back when it rejects. */
export async function asCaller<T>(
  db: Database,
  caller: Caller,
  run: (tx: Transaction) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  return inTransaction(db, contextValues(caller, options), run);
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
  return inTransaction(db, contextValues(SERVICE_ROLE, {}), run, reason);
}

/** Opens a transaction as the owner of the `auth` schema, which no request role can reach. */
export async function asAuthAdmin<T>(
  db: Database,
  reason: string,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(db, AUTH_ADMIN_CONTEXT, run, reason);
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
const AUTH_ADMIN_CONTEXT = ['supabase_auth_admin', '', '', '', '', 'off', '', ''];
const PAYMENT_EMULATOR_CONTEXT = ['payment_emulator', '', '', '', '', 'off', '', ''];
const STORAGE_ADMIN_CONTEXT = ['supabase_storage_admin', '', '', '', '', 'off', '', ''];
const REALTIME_ADMIN_CONTEXT = ['supabase_realtime_admin', '', '', '', '', 'off', '', ''];

async function inTransaction<T>(
  db: Database,
  context: readonly string[],
  run: (tx: Transaction) => Promise<T>,
  reason = '',
): Promise<T> {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await client.query({ name: CONTEXT_STATEMENT, text: CONTEXT_TEXT, values: [...context] });
    if (reason !== '')
      await client.query({ text: `select set_config('application_name', $1, true)`, values: [reason] });
    const result = await run({
      query: async <R extends Row>(statement: Statement) => {
        const { rows, rowCount } = await client.query<R>(toQueryConfig(statement));
        return { rows, rowCount: rowCount ?? 0 };
      },
    });
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(await rollBack(client));
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
