import type { Plan } from '@linkoteca/domain/plans';
import type { ReactNode } from 'react';
import type { ExportShelf } from '../model/export-scopes.ts';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

interface TransferPanelProps {
  /** Null while it is not known: then the database decides. */
  readonly plan: Plan | null;
  /** The person's folders with their categories. */
  readonly shelves: readonly ExportShelf[];
  /** The way to the plans, beside what does not fit. */
  readonly plansLink: ReactNode;
  /** Says that the plan does not have this, and shows the way to those that do. */
  readonly onRefused: () => void;
}

/** Bookmark files in and out. */
export function TransferPanel({ plan, shelves, plansLink, onRefused }: TransferPanelProps) {
  return (
    <div className="flex flex-col gap-6">
      <ImportSection plan={plan} plansLink={plansLink} onRefused={onRefused} />
      <ExportSection plan={plan} shelves={shelves} onRefused={onRefused} />
    </div>
  );
}
