import { type Database, measureExhaustion, queryAboutCallers } from '../database.ts';
import { isFull, type ReadDiskSpace, readDiskSpace } from './disk-space.ts';

/** `reason` is the first of `failing`. */
export type HealthReport =
  | { readonly status: 'ok' }
  | { readonly status: 'unavailable'; readonly reason: string; readonly failing: readonly string[] };

export type Health = {
  /** Whether the product works: the database answers, with every migration and the rights that they make. */
  whole(): Promise<HealthReport>;
  /** Whether requests should come here. */
  ready(): Promise<HealthReport>;
  /** Whether the process should go on: no only when starting it anew would help. */
  live(): Promise<HealthReport>;
  /** What each condition of `ready` says. */
  conditions(): Promise<ReadonlyMap<string, Fault>>;
  /** From now on it is not ready. */
  drain(): void;
  readonly isDraining: boolean;
};

export type HealthOptions = {
  /** Connections that nobody else's work can use up, and whose queries end in time. */
  readonly probes: Database;
  /** Those that serve requests. */
  readonly pools?: readonly Database[];
  readonly requiredMigrations: RequiredMigrations;
  /** How rights in the database differ from what the migrations make. */
  readonly rightsDifference?: (() => string | undefined) | undefined;
  /** What must have room to write. */
  readonly folders?: readonly string[];
  readonly readSpace?: ReadDiskSpace;
  /** For how many milliseconds a database of our own has been down. */
  readonly databaseDownFor?: (() => number) | undefined;
};

const PATIENCE_MS = 2_000;
/** Nobody who asked for a connection got one soon for this long. */
const EXHAUSTED_MS = 10_000;
/** Longer than any statement may take: what holds the connections will not give them back. */
const STUCK_MS = 120_000;
/** The supervisor has tried to start the database some forty times by then. */
const DOWN_MS = 180_000;

/** Knows how well the server is. Everything it says may be read by anybody and comes in time, whatever is broken. */
export function createHealth(options: HealthOptions): Health {
  const { probes, pools = [], folders = [], readSpace = readDiskSpace, databaseDownFor = () => 0 } = options;
  let isDraining = false;
  const database = createProbe({
    ask: () => askDatabase(probes, options.requiredMigrations),
    late: 'database',
    patienceMs: PATIENCE_MS,
  });
  const disk = createProbe({
    ask: async () => ((await Promise.all(folders.map(readSpace))).some(isFull) ? 'disk' : undefined),
    late: 'disk',
    patienceMs: PATIENCE_MS,
  });
  const exhausted = () => pools.some((pool) => measureExhaustion(pool).unservedMs > EXHAUSTED_MS);
  const stuck = () => pools.some((pool) => measureExhaustion(pool).stuckMs > STUCK_MS);

  const rights = (): Fault => {
    const difference = options.rightsDifference?.();
    return difference === undefined ? undefined : `rights: ${difference}`;
  };

  /** The first that fails is the reason that is named. */
  const CONDITIONS: Readonly<Record<string, () => Fault | Promise<Fault>>> = {
    draining: () => (isDraining ? 'draining' : undefined),
    rights,
    database,
    disk,
    pool: () => (exhausted() ? 'pool' : undefined),
  };

  const conditions = async () => {
    const names = Object.entries(CONDITIONS);
    return new Map(await Promise.all(names.map(async ([name, ask]) => [name, await ask()] as const)));
  };

  return {
    whole: async () => report([rights(), await database()]),
    ready: async () => report([...(await conditions()).values()]),
    async live() {
      // A full disk stays full, and a database elsewhere stays away, however often this process is started.
      if (databaseDownFor() > DOWN_MS && (await disk()) === undefined) return report(['database']);
      if (stuck() && (await database()) === undefined) return report(['pool']);
      return report([]);
    },
    conditions,
    drain: () => {
      isDraining = true;
    },
    get isDraining() {
      return isDraining;
    },
  };
}

function report(faults: readonly Fault[]): HealthReport {
  const failing = faults.filter((fault) => fault !== undefined);
  const [reason] = failing;
  return reason === undefined ? { status: 'ok' } : { status: 'unavailable', reason, failing };
}

/** What must be recorded in the database before this version of the server may serve. */
type RequiredMigrations = {
  readonly platform: readonly string[];
  readonly product: readonly string[];
};

const RECORDED = `
  select
    (select count(*) from linkoteca_platform.migrations where name = any($1))
    + (select count(*) from supabase_migrations.schema_migrations where version = any($2)) as recorded
`;

/** Whether the database answers, and has every migration that this version of the server needs. */
async function askDatabase(db: Database, { platform, product }: RequiredMigrations): Promise<Fault> {
  try {
    const { rows } = await queryAboutCallers<{ readonly recorded: string }>(db, 'service_role', {
      name: 'health',
      text: RECORDED,
      values: [platform, product],
    });
    const missing = platform.length + product.length - Number(rows[0]?.recorded ?? 0);
    return missing === 0 ? undefined : 'migrations';
  } catch {
    return 'database';
  }
}

/** What is wrong, in a word that anybody may read; undefined when nothing is. */
type Fault = string | undefined;

type ProbeOptions = {
  readonly ask: () => Promise<Fault>;
  /** What is wrong when no answer comes in time. */
  readonly late: string;
  readonly patienceMs: number;
};

/** An answer counts this long. */
const FRESH_MS = 1_000;
/** While something is known to be wrong nobody waits longer for better news. */
const RECOVERY_PATIENCE_MS = 50;

/**
 * Makes a question that may be asked as often as anybody likes: one is under way at a time and all who ask share its answer, and an
 * answer comes in time even when what is asked never answers.
 * @param options what `ask` rejects with counts as late.
 */
function createProbe({ ask, late, patienceMs }: ProbeOptions): () => Promise<Fault> {
  let known: { readonly fault: Fault; readonly at: number } | undefined;
  let running: { readonly answer: Promise<Fault>; readonly startedAt: number } | undefined;

  function start(): NonNullable<typeof running> {
    const answer = ask()
      .catch(() => late)
      .then((fault) => {
        known = { fault, at: performance.now() };
        running = undefined;
        return fault;
      });
    return { answer, startedAt: performance.now() };
  }

  return async () => {
    const at = performance.now();
    if (!running && known && at - known.at < FRESH_MS) return known.fault;
    running ??= start();
    const { answer, startedAt } = running;
    const patience = known?.fault === undefined ? startedAt + patienceMs - at : RECOVERY_PATIENCE_MS;
    const fault = await answerWithin(answer, patience);
    if (fault !== 'none yet') return fault;
    known = { fault: known?.fault ?? late, at };
    return known.fault;
  };
}

async function answerWithin(answer: Promise<Fault>, patienceMs: number): Promise<Fault> {
  const { promise, resolve } = Promise.withResolvers<'none yet'>();
  const timer = setTimeout(resolve, patienceMs, 'none yet');
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
