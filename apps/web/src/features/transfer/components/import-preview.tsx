import { formatNumber } from '@linkoteca/domain/formats';
import { type ReactNode, useMemo, useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import type { ImportArrangement } from '../model/arrange-import.ts';
import { followRename, keepChosen } from '../model/dropped-places.ts';
import { fitImport, type ImportPlan } from '../model/fit-import.ts';
import type { ImportPreview as Preview } from '../model/import-state.ts';
import type { ShortenedName } from '../model/name-import-place.ts';
import {
  describeFigures,
  describeImportRoom,
  describeImportStart,
  describeKnown,
  TRANSFER_MESSAGES,
} from '../model/transfer-messages.ts';
import { ImportFolderList } from './import-folder-list.tsx';
import { LeftOutList } from './left-out-list.tsx';

const words = TRANSFER_MESSAGES.import;

interface ImportPreviewProps {
  readonly preview: Preview;
  readonly planName: string;
  /** The way to the plans. */
  readonly plansLink: ReactNode;
  readonly online: boolean;
  /** Takes the file as it was corrected; rejects where the library cannot be asked about it. */
  readonly onAmend: (arrangement: ImportArrangement) => Promise<void>;
  readonly onBegin: (plan: ImportPlan) => void;
  readonly onCancel: () => void;
}

/** What would be written, before anything is: which folders, how much, and what is left out for which reason. */
export function ImportPreview({
  preview,
  planName,
  plansLink,
  online,
  onAmend,
  onBegin,
  onCancel,
}: ImportPreviewProps) {
  const { arrangement, existing, known, room, fileName } = preview;
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set());
  const plan = useMemo(
    () => fitImport(keepChosen(arrangement.folders, dropped), existing, known, room),
    [arrangement, existing, known, room, dropped],
  );
  const [amending, setAmending] = useState(false);
  const amend = async (
    amended: ImportArrangement,
    renamed?: { readonly from: string; readonly to: string },
  ) => {
    setAmending(true);
    try {
      await onAmend(amended);
    } catch (error) {
      toast.error(describeError(error, words.previewFailed));
      return false;
    } finally {
      setAmending(false);
    }
    if (renamed) setDropped((last) => followRename(last, renamed.from, renamed.to));
    return true;
  };
  const { made, excess } = plan;
  const isNothing = made.links + made.categories + made.folders === 0;
  return (
    <>
      <p className="text-base" role="status">
        <span className="font-medium">{fileName}</span>: {describeFigures(made)}.
        {plan.known > 0 ? ` ${describeKnown(plan.known)}` : null}
      </p>
      {excess.length > 0 ? (
        <Notice tone="warning" action={plansLink}>
          {describeImportRoom(planName, room)}
          <ul className="mt-1 max-h-32 overflow-y-auto">
            {excess.map(({ folder, ...figures }) => (
              <li key={folder}>
                {folder}: {describeFigures({ folders: 0, ...figures })}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <ImportFolderList
        arrangement={arrangement}
        dropped={dropped}
        busy={amending}
        onChange={setDropped}
        onAmend={amend}
      />
      <ShortenedList shortened={arrangement.shortened} />
      <LeftOutList leftOut={arrangement.leftOut} />
      {isNothing ? <Notice>{excess.length > 0 ? words.nothingFits : words.nothingLeft}</Notice> : null}
      {online ? null : <Notice tone="warning">{words.offlineBefore}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          size="large"
          disabled={isNothing || !online || amending}
          onClick={() => onBegin(plan)}
        >
          {made.links > 0 ? describeImportStart(made.links) : `Importar ${describeFigures(made)}`}
        </Button>
        <Button size="large" onClick={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </>
  );
}

/** As many as anybody reads; the figure in the head counts all. */
const SHOWN = 100;

/** Which names of a file are too long, and what they become. */
function ShortenedList({ shortened }: { readonly shortened: readonly ShortenedName[] }) {
  if (shortened.length === 0) return null;
  return (
    <details className="rounded border border-line px-3 py-2 text-base">
      <summary className="cursor-pointer">
        {TRANSFER_MESSAGES.import.shortenedTitle}: {formatNumber(shortened.length)}
      </summary>
      <p className="mt-2 text-sm text-ink-soft">{TRANSFER_MESSAGES.import.shortenedReason}</p>
      <ul className="mt-1 flex max-h-48 flex-col gap-1.5 overflow-y-auto text-sm">
        {shortened.slice(0, SHOWN).map(({ folder, from, to }) => (
          <li key={`${folder ?? ''}\n${to}`} className="break-words">
            <span className="font-medium">{folder === null ? to : `${folder} › ${to}`}</span>
            <span className="block text-ink-soft">{from}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
