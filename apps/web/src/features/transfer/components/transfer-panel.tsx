import type { Plan } from '@linkoteca/domain/plans';
import type { ExportShelf } from '../model/export-scopes.ts';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

export interface TransferPanelProps {
  /** Null while it is not known: then the database decides. */
  readonly plan: Plan | null;
  /** The person's folders with their categories. */
  readonly shelves: readonly ExportShelf[];
  /** Says that the plan does not have this, and shows the way to those that do. */
  readonly onRefused: () => void;
}

/** Bookmark files in and out. */
export function TransferPanel({ plan, shelves, onRefused }: TransferPanelProps) {
  return (
    <div className="flex flex-col gap-6">
      <ImportSection plan={plan} onRefused={onRefused} />
      <ExportSection plan={plan} shelves={shelves} onRefused={onRefused} />
    </div>
  );
}
