import pg from 'pg';
import { EARLIER_PLATFORM, readHistory } from './earlier-history.ts';
import { listMigrations, type Migration } from './list-migrations.ts';
import { MigrationError } from './migration-error.ts';

export type MigrationFolders = {
  /** What a hosted platform already owns: applied first. */
  readonly platformFolder: string;
  readonly migrationsFolder: string;
};

/** Migrations as they are recorded: the platform's by the names of their files, the product's by their versions. */
export type MigrationNames = { readonly platform: readonly string[]; readonly product: readonly string[] };

export type PendingMigrations = MigrationNames & {
  /** Whether no product migration has ever been applied: there is nothing to lose yet. */
  readonly isNew: boolean;
};

/**
 * What `applyMigrations` would apply, in its order, without changing anything.
 * @throws MigrationError when the database is of a newer version of the program, or an applied file was changed.
 */
export async function listPendingMigrations(
  options: MigrationFolders & { readonly connect: pg.ClientConfig },
): Promise<PendingMigrations> {
  const client = new pg.Client(options.connect);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const plan = await planMigrations(client, options);
    return { ...nameMigrations(plan), isNew: plan.isNew };
  } finally {
    await client.end();
  }
}

type MigrationPlan = {
  readonly platform: readonly Migration[];
  readonly product: readonly Migration[];
  /** Made by the earlier history already: recorded, and not run. */
  readonly carried: readonly Migration[];
  readonly isNew: boolean;
};

export const nameMigrations = ({
  platform,
  product,
}: Pick<MigrationPlan, 'platform' | 'product'>): MigrationNames => ({
  platform: platform.map(({ fileName }) => fileName),
  product: product.map(({ version }) => version),
});

/** Compares what is recorded with the folders. @param only leaves out what it does not name. */
export async function planMigrations(
  client: pg.ClientBase,
  folders: MigrationFolders,
  only?: MigrationNames,
): Promise<MigrationPlan> {
  const platform = choose(listMigrations(folders.platformFolder), ({ fileName }) => fileName, only?.platform);
  const product = choose(listMigrations(folders.migrationsFolder), ({ version }) => version, only?.product);
  const recorded = await readRecords(client);
  const names = nameMigrations({ platform, product });
  if (only === undefined) refuseNewerSchema(recorded, names);
  const applied = new Set(readHistory([...recorded.product.keys()], names.product));
  for (const { fileName, checksum } of platform) {
    const known = recorded.platform.get(fileName);
    if (known !== undefined && known !== checksum && known !== EARLIER_PLATFORM[fileName])
      throw new MigrationError(
        `A migração ${fileName} mudou depois de aplicada: desfaça a mudança e escreva uma migração nova.`,
      );
  }
  return {
    platform: platform.filter(({ fileName }) => !recorded.platform.has(fileName)),
    product: product.filter(({ version }) => !applied.has(version)),
    carried: product.filter(({ version }) => applied.has(version) && !recorded.product.has(version)),
    isNew: recorded.product.size === 0,
  };
}

/**
 * The newest of the recorded migrations that only a newer version of the program can have. The platform's files are ours alone; between
 * the product's an operator may have one that came along from a hosted project.
 */
export function findNewerMigration(recorded: MigrationNames, known: MigrationNames): string | undefined {
  const files = new Set(known.platform);
  const newest = BigInt(known.product.at(-1) ?? 0);
  const newer = [
    ...recorded.platform.filter((fileName) => !files.has(fileName)),
    ...recorded.product.filter((version) => /^\d+$/.test(version) && BigInt(version) > newest),
  ];
  return newer.sort().at(-1);
}

/** An older program would write what the newer one, which has changed this database, does not expect. */
function refuseNewerSchema(recorded: Records, known: MigrationNames): void {
  const names = { platform: [...recorded.platform.keys()], product: [...recorded.product.keys()] };
  const newer = findNewerMigration(names, known);
  if (newer === undefined) return;
  const name = recorded.product.get(newer);
  throw new MigrationError(
    `O banco de dados é de uma versão mais nova da Linkoteca (migração ${name ? `${newer}_${name}` : newer}): ` +
      'use essa versão, ou restaure o backup feito antes dela.',
  );
}

function choose(
  migrations: readonly Migration[],
  nameOf: (migration: Migration) => string,
  only: readonly string[] | undefined,
): readonly Migration[] {
  if (only === undefined) return migrations;
  const chosen = migrations.filter((migration) => only.includes(nameOf(migration)));
  const known = new Set(chosen.map(nameOf));
  const unknown = only.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new MigrationError(
      `A migração ${unknown} não existe nesta versão da Linkoteca: use a versão que a tem, ou uma mais nova.`,
    );
  return chosen;
}

type Records = {
  /** The checksum of each file. */
  readonly platform: ReadonlyMap<string, string>;
  /** The name of each version. */
  readonly product: ReadonlyMap<string, string>;
};

async function readRecords(client: pg.ClientBase): Promise<Records> {
  const read = async (table: string, columns: string) => {
    const { rows: found } = await client.query('select from pg_class where oid = to_regclass($1)', [table]);
    if (found.length === 0) return new Map<string, string>();
    const { rows } = await client.query<{ key: string; value: string }>(`select ${columns} from ${table}`);
    return new Map(rows.map(({ key, value }) => [key, value]));
  };
  return {
    platform: await read('linkoteca_platform.migrations', 'name as key, checksum as value'),
    product: await read(
      'supabase_migrations.schema_migrations',
      `version as key, coalesce(name, '') as value`,
    ),
  };
}
