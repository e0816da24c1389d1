import type { TableChange } from '../../../shared/lib/realtime/table-change.ts';
import type { ReceivedShare } from '../api/list-received-shares.ts';

/**
 * Puts what was heard of other people's categories, and of who may read them, into the list of those one received. A new
 * share is not in it: its category has to be asked for.
 */
export function applyReceivedChanges(
  shares: readonly ReceivedShare[],
  changes: readonly TableChange[],
): readonly ReceivedShare[] {
  return changes.reduce<readonly ReceivedShare[]>((list, change) => {
    const at = list.findIndex((share) => share.id === change.id);
    const known = list[at];
    if (known === undefined) return list;
    if (change.operation === 'DELETE') return list.toSpliced(at, 1);
    if (change.table !== 'categories') return list;
    const { name, description, name_users: ownerName } = change.row;
    const next = {
      ...known,
      ...(typeof name === 'string' ? { name } : {}),
      ...(description === undefined ? {} : { description: description as string | null }),
      ...(ownerName === undefined ? {} : { ownerName: ownerName as string | null }),
    };
    const same = next.name === known.name && next.description === known.description;
    return same && next.ownerName === known.ownerName ? list : list.with(at, next);
  }, shares);
}
