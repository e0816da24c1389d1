import type { TableChange } from '../../shared/lib/realtime/table-change.ts';

export interface LinkCounting {
  /** How many links each category gains; below zero it loses. */
  readonly gains: ReadonlyMap<string, number>;
  /** True when a link left a category that nobody knows: the service did not say, and no list had it. */
  readonly unsure: boolean;
}

/**
 * What changes of links mean for the counts of their categories.
 * @param findHome where a link stood, as far as the browser knows. Only asked when the change does not tell.
 */
export function countLinkChanges(
  changes: readonly TableChange[],
  findHome: (linkId: string) => string | undefined,
): LinkCounting {
  const gains = new Map<string, number>();
  /** Where links stand after the changes so far. */
  const homes = new Map<string, string>();
  let unsure = false;
  const gain = (categoryId: string, by: 1 | -1) => gains.set(categoryId, (gains.get(categoryId) ?? 0) + by);
  for (const { operation, id, row, before } of changes) {
    const from = operation === 'INSERT' ? null : (text(before) ?? homes.get(id) ?? findHome(id));
    const to = operation === 'DELETE' ? null : text(row);
    if (to) homes.set(id, to);
    if (from === undefined) unsure = true;
    if (from === to || from === undefined) continue;
    if (from) gain(from, -1);
    if (to) gain(to, 1);
  }
  return { gains, unsure };
}

function text({ category_id: categoryId }: TableChange['row']): string | undefined {
  return typeof categoryId === 'string' ? categoryId : undefined;
}
