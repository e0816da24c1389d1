/** Names of the backups that the server makes by itself: it removes no other. Ordered by name they are ordered by time. */
export function nameScheduled(at: Date): string {
  return `linkoteca-${stamp(at)}.backup`;
}

/** The newest migrations that the database already has: the state that the backup leads back to. */
export type MigratedState = { readonly product: string; readonly platform: string };

export function nameBeforeMigration({ product, platform }: MigratedState, at: Date): string {
  return `before-${product}-${platform}-${stamp(at)}.backup`;
}

const SCHEDULED = /^linkoteca-\d{8}T\d{6}Z\.backup$/;
/** Earlier versions named the product's migration only. */
const BEFORE_MIGRATION = /^before-(?<state>\d+(?:-\d+)?)-(?<time>\d{8}T\d{6}Z)\.backup$/;

/**
 * Which ones are more than are kept, of those that the schedule made. A later name than that of the one just made comes from a clock
 * that was ahead: such a backup goes first.
 */
export function listSurplusScheduled(
  names: readonly string[],
  kept: number,
  made: string,
): readonly string[] {
  const newestFirst = names
    .filter((name) => SCHEDULED.test(name))
    .sort()
    .reverse();
  return [...newestFirst.filter((name) => name <= made), ...newestFirst.filter((name) => name > made)].slice(
    kept,
  );
}

/**
 * Which ones are more than are kept, of those that were made before migrations: of each state the newest stays, of so many states. A start
 * that fails half-way and is tried again makes one each time.
 */
export function listSurplusBeforeMigration(names: readonly string[], kept: number): readonly string[] {
  const newestFirst = names
    .flatMap((name) => {
      const { state = '', time = '' } = BEFORE_MIGRATION.exec(name)?.groups ?? {};
      return time === '' ? [] : [{ name, state, time }];
    })
    .sort((one, other) => other.time.localeCompare(one.time));
  const newest = newestFirst.filter(
    ({ state }, index) => newestFirst.findIndex((one) => one.state === state) === index,
  );
  const staying = new Set(newest.slice(0, kept));
  return newestFirst.filter((backup) => !staying.has(backup)).map(({ name }) => name);
}

/** `20261122T101500Z`. */
function stamp(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
