import type { FastifyBaseLogger } from 'fastify';
import type { RowText } from '../../feed/change-feed.ts';
import type { BoundRole, BoundTable } from '../catalogue/bound-table.ts';
import type { Viewer } from '../delivery/viewer.ts';
import type { RowChecks } from './create-row-checks.ts';
import type { PolicyListCache } from './policy-list-cache.ts';
import { type RowCheck, renderRowCheck, renderTableCheck } from './render-row-check.ts';

/** Whom row-level security shows a row. */
export type RowAccess = {
  /**
   * @param isPresent the row is, or was a moment ago, in the table; false for an old row.
   * @returns at once where the policy's shape decides. Rejects when the database cannot be asked.
   */
  sees(table: BoundTable, viewer: Viewer, row: RowText, isPresent: boolean): boolean | Promise<boolean>;
};

/** Types without an equality of their own: json, xml, point, lseg, path, box, polygon. */
const INCOMPARABLE: ReadonlySet<number> = new Set([114, 142, 600, 601, 602, 603, 604]);

/**
 * Evaluates the policies on the very values of the row, as the viewer: never on what the row has become since. Where that
 * cannot be done (a policy may use what its author can name and the viewer can not), the table is asked whether the viewer
 * finds the row there; an old row then stays hidden.
 */
export function createRowAccess(
  checks: RowChecks,
  lists: PolicyListCache,
  logger: FastifyBaseLogger,
): RowAccess {
  const policyChecks = new WeakMap<BoundRole, RowCheck>();
  const refused = new WeakSet<BoundRole>();

  function policyCheckOf(table: BoundTable, role: BoundRole): RowCheck {
    const check = policyChecks.get(role) ?? renderRowCheck(table.published, role.rule.condition);
    policyChecks.set(role, check);
    return check;
  }

  async function ask(
    table: BoundTable,
    { caller }: Viewer,
    row: RowText,
    isPresent: boolean,
  ): Promise<boolean> {
    const role = table.roleOf(caller.role);
    if (!refused.has(role) && isKnown(table, role, row)) {
      const check = policyCheckOf(table, role);
      const answer = await checks.ask({ table, caller, check, values: [], row });
      if (typeof answer === 'boolean') return answer;
      if (answer === 'refused' && !refused.has(role)) {
        refused.add(role);
        const { schema, name } = table.published;
        logger.warn(
          { schema, table: name, role: caller.role },
          'a policy cannot be evaluated on deleted rows',
        );
      }
    }
    if (!isPresent || table.primaryKey.length === 0) return false;
    const check = renderTableCheck(table, comparedColumns(table, role, row));
    return (await checks.ask({ table, caller, check, values: [], row })) === true;
  }

  /** With the viewer's lists at hand the policy's shape may decide after all. */
  async function askLists(
    table: BoundTable,
    viewer: Viewer,
    row: RowText,
    isPresent: boolean,
  ): Promise<boolean> {
    const { rule } = table.roleOf(viewer.caller.role);
    const members = await Promise.all(rule.lists.map((list) => lists.ask(viewer, list)));
    const verdict = rule.decide(row, viewer, (list) => members[rule.lists.indexOf(list)]);
    return verdict ?? ask(table, viewer, row, isPresent);
  }

  return {
    sees(table, viewer, row, isPresent) {
      const { rule } = table.roleOf(viewer.caller.role);
      const verdict = rule.decide(row, viewer, (list) => lists.known(viewer, list));
      if (verdict !== undefined) return verdict;
      return rule.lists.length > 0
        ? askLists(table, viewer, row, isPresent)
        : ask(table, viewer, row, isPresent);
    },
  };
}

function policyColumns(table: BoundTable, { rule }: BoundRole): readonly string[] {
  return rule.columns ?? table.published.columns.map(({ name }) => name);
}

/** Whether the feed sent all that the policies read: a generated column, say, is not among it. */
function isKnown(table: BoundTable, role: BoundRole, row: RowText): boolean {
  return policyColumns(table, role).every((name) => table.valueOf(row, name) !== undefined);
}

/** What must be the same for the table's answer to hold for this row: all that was sent where the feed lacks something. */
function comparedColumns(table: BoundTable, role: BoundRole, row: RowText): readonly string[] {
  const read = policyColumns(table, role);
  const names = read.every((name) => table.byName.has(name)) ? read : [...table.byName.keys()];
  return names.filter((name) => {
    const column = table.byName.get(name);
    return column !== undefined && row[column.position] !== undefined && !INCOMPARABLE.has(column.baseOid);
  });
}
