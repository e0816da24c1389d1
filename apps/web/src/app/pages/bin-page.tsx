import { BIN_LABEL } from '@linkoteca/domain/messages/bin-labels';
import { BIN_MESSAGES as TEXT } from '@linkoteca/domain/messages/bin-messages';
import { describeFullPlan } from '@linkoteca/domain/messages/plan-messages';
import { CloudOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useCategoryAllowance, useLinkAllowance } from '../../features/account/api/usage.ts';
import { useDeleteFromBin } from '../../features/bin/api/delete-from-bin.ts';
import { useBin } from '../../features/bin/api/list-bin.ts';
import { BinList, BinSkeleton } from '../../features/bin/components/bin-list.tsx';
import { type BinEntry, nameEntry } from '../../features/bin/model/bin-entry.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../shared/lib/describe-error.ts';
import { useLastRequest } from '../../shared/lib/writes/use-last-request.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { LoadError } from '../../shared/ui/feedback/load-error.tsx';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { RestorePlaceDialog } from '../organiser/dialogs/restore-place-dialog.tsx';
import { useBinRestoring } from '../organiser/use-bin-restoring.ts';
import { PageBody } from './page-body.tsx';

/** Which deletion for good is asked about: of one entry, or of all. */
type Question = { readonly entry: BinEntry | null };

/** /lixeira: what was deleted in the last thirty days, and its two ways out. */
export function BinPage() {
  useDocumentTitle(BIN_LABEL);
  const bin = useBin();
  const [question, setQuestion] = useState<Question | null>(null);
  const { restore, homeless, dropHomeless } = useBinRestoring();
  const place = useLastRequest(homeless);
  const lockOf = useRestoreLock();
  const entries = bin.data?.pages.flat() ?? [];
  return (
    <PageBody title={BIN_LABEL} lead={TEXT.lead}>
      {bin.data === undefined ? (
        <NoBin failed={bin.isError} onRetry={() => void bin.refetch()} />
      ) : entries.length === 0 ? (
        <EmptyState icon={<Trash2 aria-hidden />} title={TEXT.empty} description={TEXT.emptyHint} />
      ) : (
        <div className="flex flex-col gap-3">
          <Button className="self-end" onClick={() => setQuestion({ entry: null })}>
            {TEXT.emptyBin}
          </Button>
          <BinList
            entries={entries}
            now={new Date(bin.dataUpdatedAt)}
            lockOf={lockOf}
            onRestore={(entry) => void restore(entry)}
            onDelete={(entry) => setQuestion({ entry })}
          />
          {bin.hasNextPage ? (
            <Button
              className="self-center"
              busy={bin.isFetchingNextPage}
              onClick={() => void bin.fetchNextPage()}
            >
              {TEXT.more}
            </Button>
          ) : null}
        </div>
      )}
      <ForGoodDialog question={question} onClose={() => setQuestion(null)} />
      {place ? (
        <RestorePlaceDialog
          key={place.key}
          open={place.open}
          entry={place.request}
          onClose={dropHomeless}
          onPick={(placeId) => void restore(place.request, placeId)}
        />
      ) : null}
    </PageBody>
  );
}

/** How full the plan is, for each entry that it has no room for. */
function useRestoreLock(): (entry: BinEntry) => string | null {
  const categories = useCategoryAllowance();
  const links = useLinkAllowance();
  return ({ categoryCount, linkCount }) =>
    describeFullPlan('maxCategories', categories, categoryCount) ??
    describeFullPlan('maxLinks', links, linkCount);
}

/** Stands there until the list has come. */
function NoBin({ failed, onRetry }: { readonly failed: boolean; readonly onRetry: () => void }) {
  const online = useOnline();
  if (!online)
    return <EmptyState icon={<CloudOff aria-hidden />} title={TEXT.offline} description={TEXT.offlineHint} />;
  if (!failed) return <BinSkeleton />;
  return <LoadError title={TEXT.loadFailed} description={TEXT.loadFailedWhy} onRetry={onRetry} />;
}

/** Asked before anything goes for good. The keyboard goes back to the page: the row it was on is gone. */
function ForGoodDialog({
  question,
  onClose,
}: {
  readonly question: Question | null;
  readonly onClose: () => void;
}) {
  const remove = useDeleteFromBin();
  const last = useLastRequest(question);
  const [confirmed, setConfirmed] = useState<Question | null>(null);
  if (last === null) return null;
  const { entry } = last.request;
  const confirm = async () => {
    setConfirmed(last.request);
    onClose();
    try {
      await remove.mutateAsync(entry);
      toast.success(entry === null ? TEXT.emptied : TEXT.forGoodDone);
    } catch (error) {
      toast.error(TEXT.deleteFailed, describeError(error, TEXT.deleteFailedWhy));
    }
  };
  return (
    <ConfirmDialog
      open={last.open}
      title={entry === null ? TEXT.emptyBinQuestion : TEXT.forGoodQuestion}
      description={entry === null ? TEXT.emptyBinWhy : nameEntry(entry)}
      confirmLabel={entry === null ? TEXT.emptyBin : TEXT.forGood}
      onCancel={onClose}
      onConfirm={() => void confirm()}
      finalFocus={() => (confirmed === last.request ? document.getElementById('page') : true)}
    >
      <p className="mt-3 text-sm text-ink-soft">{TEXT.irreversible}</p>
    </ConfirmDialog>
  );
}
