import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import type { EmbedPlan, PlannedLogic, ReadPlan, Weight } from './plan-types.ts';

/** The parts of a read that weigh. */
type Weighed = Pick<ReadPlan, 'select' | 'embeds' | 'where'> & Partial<Pick<ReadPlan, 'limit'>>;

/** Rows × fields × depth. Two levels of rows below the root's thousand pass as they are; a third needs limits of its own. */
const MAX_CELLS = 1e12;
const COSTLY_CELLS = 1e8;
const LARGE_CELLS = 20_000;
/** What `*` counts as, and what a resource without any field does. */
const FIELDS_OF_ALL = 16;
const MANY_FILTERS = 50;
const LONG_LIST = 500;

/**
 * Weighs what is read and all that is embedded in it: limits multiply from level to level.
 * @param rows of the root, where it has no limit of its own.
 * @param where conditions that choose rows without being part of the read (a change's).
 */
export function weighRead(read: Weighed, rows: number, where: readonly PlannedLogic[] = []): Outcome<Weight> {
  const cells = countCells(read, read.limit ?? rows, 1);
  if (cells > MAX_CELLS) return fail(restError.tooManyCells());
  const filters = [...where, ...listFilters(read)].flatMap(leavesOf);
  const hasPattern = filters.some(isPattern);
  return ok({
    boundedParts: cells > LARGE_CELLS || repeatsColumns(read) ? Math.max(1, countToMany(read)) : undefined,
    isCostly:
      hasPattern || cells > COSTLY_CELLS || filters.length > MANY_FILTERS || filters.some(isCostlyFilter),
    hasPattern,
  });
}

function countCells(read: Weighed, rows: number, depth: number): number {
  const fields = read.select.reduce(
    (sum, { field }) => sum + (field.name === '*' ? FIELDS_OF_ALL : 1),
    read.select.length === 0 ? 1 : 0,
  );
  return read.embeds.reduce(
    (sum, embed) => sum + countCells(embed.read, rows * rowsOf(embed), depth + 1),
    rows * fields * depth,
  );
}

function rowsOf({ toOne, read }: EmbedPlan): number {
  return toOne ? 1 : Math.max(1, read.limit ?? 1);
}

function countToMany({ embeds }: Weighed): number {
  return embeds.reduce((sum, { toOne, read }) => sum + (toOne ? 0 : 1) + countToMany(read), 0);
}

/** A column that is asked for under several names makes an answer larger than the rows that it is made of. */
function repeatsColumns({ select, embeds }: Weighed): boolean {
  const names = new Set(select.map(({ field }) => field.name));
  const repeats = names.size < select.length || (names.has('*') && names.size > 1);
  return repeats || embeds.some(({ read }) => repeatsColumns(read));
}

function listFilters({ where, embeds }: Weighed): readonly PlannedLogic[] {
  return [...where, ...embeds.flatMap(({ read }) => listFilters(read))];
}

type Filter = Extract<PlannedLogic, { kind: 'filter' }>;

function leavesOf(logic: PlannedLogic): readonly Filter[] {
  if (logic.kind === 'group') return logic.children.flatMap(leavesOf);
  return logic.kind === 'filter' ? [logic] : [];
}

function isPattern({ operation }: Filter): boolean {
  return operation.kind === 'compare' && (operation.operator === 'match' || operation.operator === 'imatch');
}

/** What no index answers: parts of texts, text search over plain columns, long lists. */
function isCostlyFilter({ operation }: Filter): boolean {
  switch (operation.kind) {
    case 'compare':
      return (
        (operation.operator === 'like' || operation.operator === 'ilike') &&
        /^[{"]*[*%_]/.test(operation.value)
      );
    case 'search':
      return true;
    case 'in':
      return operation.values.length > LONG_LIST;
    default:
      return false;
  }
}
