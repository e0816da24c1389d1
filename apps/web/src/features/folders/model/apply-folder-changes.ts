import type { Folder } from '@linkoteca/domain/entities';
import { applyRowChanges } from '../../../shared/lib/realtime/apply-row-changes.ts';
import type { ChangedRow, TableChange } from '../../../shared/lib/realtime/table-change.ts';

/** Puts what was heard of folders into the list of them. */
export function applyFolderChanges(
  folders: readonly Folder[],
  changes: readonly TableChange[],
): readonly Folder[] {
  return applyRowChanges(folders, changes, readFolder);
}

function readFolder(row: ChangedRow, known: Folder | undefined): Folder | null {
  const { id, name, user_id, created_at, updated_at } = { ...known, ...row };
  const whole = [id, name, user_id, created_at, updated_at].every((value) => typeof value === 'string');
  return whole ? ({ id, name, user_id, created_at, updated_at } as Folder) : null;
}
