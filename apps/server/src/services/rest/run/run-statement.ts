import type { Caller, RequestContext } from '../../../kernel/caller-context.ts';
import {
  asCaller,
  type Database,
  queryAsCaller,
  type Row,
  type Rows,
  type Statement,
  type Transaction,
} from '../../../kernel/database.ts';
import type { FunctionName } from '../../../kernel/settings.ts';
import { quoteFunction } from '../settings/create-settings-source.ts';
import type { NameStatement } from '../sql/name-statements.ts';

/** As whom and how the statements of a request run. */
export type RunContext = {
  readonly db: Database;
  readonly caller: Caller;
  readonly request: RequestContext;
  readonly nameStatement: NameStatement;
  readonly schemaVersion: number;
  readonly searchPath: readonly string[];
  /** What SQL reads as `current_setting('app.settings.…')`, by the whole name. */
  readonly appSettings: Readonly<Record<string, string>>;
  /** Called first, in the same transaction. */
  readonly preRequest: FunctionName | undefined;
  /** Whether what is changed is taken back in the end. */
  readonly rollsBack: boolean;
  /** In which times are written. */
  readonly timeZone?: string | undefined;
  readonly isCostly?: boolean;
};

export type RunOptions<T extends Row> = {
  readonly readOnly: boolean;
  /** Runs in front of the statement, behind what the settings put there. */
  readonly before?: Statement;
  /** Looks at the rows before anything is committed: what it throws takes the changes back. */
  readonly check?: (rows: Rows<T>) => void;
};

/**
 * Runs the statement of a request: in one round trip where nothing stands before or behind it. @throws pg.DatabaseError as Postgres
 * raised it, and what `check` throws.
 */
export async function runStatement<T extends Row>(
  context: RunContext,
  statement: Statement,
  { readOnly, before, check }: RunOptions<T>,
): Promise<Rows<T>> {
  const { db, caller, request, searchPath, isCostly = false, preRequest, timeZone } = context;
  const options = { request, readOnly, searchPath, isCostly, timeZone };
  const rollsBack = context.rollsBack && !readOnly;
  const first = [...listFirst(context.appSettings, preRequest), ...(before === undefined ? [] : [before])];
  if (first.length === 0 && !rollsBack && check === undefined)
    return queryAsCaller<T>(db, caller, statement, options);
  const run = async (tx: Transaction): Promise<Rows<T>> => {
    for (const one of first) await tx.query(one);
    const rows = await tx.query<T>(statement);
    check?.(rows);
    return rows;
  };
  return rollsBack ? runAndTakeBack(context, run, options) : asCaller(db, caller, run, options);
}

const SET_ALL = `select set_config(s.name, s.value, true) from unnest($1::text[], $2::text[]) s (name, value)`;

/** What runs in front of the statement. */
function listFirst(
  appSettings: RunContext['appSettings'],
  preRequest: RunContext['preRequest'],
): readonly Statement[] {
  const [names, values] = [Object.keys(appSettings), Object.values(appSettings)];
  return [
    ...(names.length === 0 ? [] : [{ text: SET_ALL, values: [names, values] }]),
    ...(preRequest === undefined ? [] : [{ text: `select ${quoteFunction(preRequest)}()` }]),
  ];
}

/** A transaction that ends with a rollback, though nothing was wrong. */
class TakenBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('taken back');
    this.result = result;
  }
}

async function runAndTakeBack<T>(
  { db, caller }: RunContext,
  run: (tx: Transaction) => Promise<T>,
  options: Parameters<typeof asCaller>[3],
): Promise<T> {
  try {
    return await asCaller(
      db,
      caller,
      async (tx) => {
        const result = await run(tx);
        // What would be checked at the commit is checked now.
        await tx.query({ text: 'set constraints all immediate' });
        throw new TakenBack(result);
      },
      options,
    );
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T;
    throw error;
  }
}
