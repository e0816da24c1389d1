import { describeSharingLock } from '@linkoteca/domain/messages/plan-messages';
import type { Plan } from '@linkoteca/domain/plans';
import { type ReactNode, useState } from 'react';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { ProgressBar } from '../../../shared/ui/feedback/progress-bar.tsx';
import { ChoiceField } from '../../../shared/ui/fields/choice-field.tsx';
import { PlanNote } from '../../../shared/ui/plan-note.tsx';
import { type ExportState, useExport } from '../api/use-export.ts';
import { EXPORT_FORMATS, type ExportFormat, readExportFormat } from '../model/bookmark-files.ts';
import { type ExportShelf, findExportScope } from '../model/export-scopes.ts';
import { EXPORT_FORMAT_NAMES, TRANSFER_MESSAGES } from '../model/transfer-messages.ts';
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
      <ExportSection plan={plan} shelves={shelves} plansLink={plansLink} onRefused={onRefused} />
    </div>
  );
}

const words = TRANSFER_MESSAGES.export;

interface ExportSectionProps {
  readonly plan: Plan | null;
  readonly shelves: readonly ExportShelf[];
  readonly plansLink: ReactNode;
  readonly onRefused: () => void;
}

/** A file of everything, of a folder or of a category, for other programs. */
function ExportSection({ plan, shelves, plansLink, onRefused }: ExportSectionProps) {
  const online = useOnline();
  const { state, start, cancel } = useExport();
  const [scope, setScope] = useState('all');
  const [format, setFormat] = useState<ExportFormat>('html');
  const working = state.status === 'working';
  const lock = describeSharingLock(plan);
  const begin = () => {
    if (lock === null) void start({ ...findExportScope(scope, shelves), format });
    else onRefused();
  };
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-5" aria-labelledby="bookmark-export">
      <div>
        <h2 id="bookmark-export" className="text-lg font-semibold">
          {words.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{words.explanation}</p>
      </div>
      <PlanNote action={plansLink}>{lock}</PlanNote>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField label={words.scope} value={scope} onChange={setScope}>
          <option value="all">{words.everything}</option>
          {shelves.map(({ folder, categories }) => (
            <optgroup key={folder.id} label={folder.name} className="bg-surface">
              <option value={`folder:${folder.id}`}>{folder.name}</option>
              {categories.map((category) => (
                <option key={category.id} value={`category:${category.id}`}>
                  {category.name}
                </option>
              ))}
            </optgroup>
          ))}
        </ChoiceField>
        <ChoiceField
          label={words.format}
          value={format}
          onChange={(value) => setFormat(readExportFormat(value))}
        >
          {EXPORT_FORMATS.map((name) => (
            <option key={name} value={name}>
              {EXPORT_FORMAT_NAMES[name]}
            </option>
          ))}
        </ChoiceField>
      </div>
      {working ? <ProgressBar label={words.preparing} percent={state.percent} /> : null}
      <Outcome state={state} />
      {online || working ? null : <Notice tone="warning">{words.offline}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button
          size="large"
          busy={working}
          busyLabel={words.preparing}
          disabled={!online}
          lock={lock}
          onClick={begin}
        >
          {words.start}
        </Button>
        {working ? (
          <Button size="large" onClick={cancel}>
            {words.cancel}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function Outcome({ state }: { readonly state: ExportState }) {
  if (state.status === 'done') return <Notice tone="success">{words.done}</Notice>;
  if (state.status === 'canceled') return <Notice>{words.canceled}</Notice>;
  if (state.status === 'failed')
    return <Notice tone="danger">{describeError(state.error, words.failed)}</Notice>;
  return null;
}
