import { formatMoment } from '@linkoteca/domain/dates';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { useCategoryHistory } from '../api/category-history.ts';
import { describeChange, describeDoer, HISTORY_MESSAGES as TEXT } from '../model/history-messages.ts';
import { UndoAct } from './undo-act.tsx';

interface HistoryDialogProps {
  readonly open: boolean;
  readonly category: { readonly id: string; readonly name: string };
  /** Of somebody else's category: what its members did is told, and nothing else. */
  readonly ofMembers: boolean;
  readonly onClose: () => void;
}

/** What changed in a category, when and through whom. */
export function HistoryDialog({ open, category, ofMembers, onClose }: HistoryDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={TEXT.title} description={<bdi>{category.name}</bdi>}>
      {open ? <History categoryId={category.id} ofMembers={ofMembers} /> : null}
    </Dialog>
  );
}

interface HistoryProps {
  readonly categoryId: string;
  readonly ofMembers: boolean;
}

function History({ categoryId, ofMembers }: HistoryProps) {
  const history = useCategoryHistory(categoryId);
  if (history.isPending)
    return (
      <div className="flex flex-col gap-3">
        <Skeleton className="h-10 w-full" />
        <Skeleton className="h-10 w-full" />
      </div>
    );
  if (history.data === undefined)
    return (
      <LoadError
        title={TEXT.loadFailed}
        description={TEXT.loadFailedWhy}
        onRetry={() => void history.refetch()}
      />
    );
  const changes = history.data.pages.flat();
  if (changes.length === 0)
    return <p className="text-base text-ink-soft">{ofMembers ? TEXT.noneOfMembers : TEXT.none}</p>;
  const now = new Date();
  return (
    <div className="flex flex-col gap-3">
      <p className="text-base text-ink-soft">{ofMembers ? TEXT.leadOfMembers : TEXT.lead}</p>
      <ul aria-label={TEXT.list} className="border-t border-line">
        {changes.map((change) => (
          <li key={change.id} className="border-b border-line py-2.5">
            <p className="text-base break-words text-ink">{describeChange(change)}</p>
            <p className="text-sm break-words text-ink-faint">
              {formatMoment(new Date(change.changed_at), now)} · <bdi>{describeDoer(change)}</bdi>
            </p>
            <UndoAct change={change} />
          </li>
        ))}
      </ul>
      {history.hasNextPage ? (
        <Button
          size="small"
          variant="quiet"
          className="self-start"
          busy={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {TEXT.older}
        </Button>
      ) : null}
    </div>
  );
}
