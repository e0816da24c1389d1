/** Names of the backups that the server makes by itself: it removes no other. Ordered by name they are ordered by time. */
export function nameScheduled(at: Date): string {
  return `linkoteca-${stamp(at)}.backup`;
}

/** `migration` is the newest that the database already has: what the backup can be restored to. */
export function nameBeforeMigration(migration: string, at: Date): string {
  return `before-${migration}-${stamp(at)}.backup`;
}

const SCHEDULED = /^linkoteca-\d{8}T\d{6}Z\.backup$/;
const BEFORE_MIGRATION = /^before-\d+-(\d{8}T\d{6}Z)\.backup$/;

/** Which ones are more than are kept, of those that the schedule made. */
export function listSurplusScheduled(names: readonly string[], kept: number): readonly string[] {
  return names
    .filter((name) => SCHEDULED.test(name))
    .sort()
    .reverse()
    .slice(kept);
}

/** Which ones are more than are kept, of those that were made before migrations. */
export function listSurplusBeforeMigration(names: readonly string[], kept: number): readonly string[] {
  const timeOf = (name: string) => BEFORE_MIGRATION.exec(name)?.[1] ?? '';
  return names
    .filter((name) => BEFORE_MIGRATION.test(name))
    .sort((one, other) => timeOf(other).localeCompare(timeOf(one)))
    .slice(kept);
}

/** `20261122T101500Z`. */
function stamp(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
