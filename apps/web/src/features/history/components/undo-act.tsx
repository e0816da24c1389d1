import { useState } from 'react';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import type { ListedChange } from '../api/category-history.ts';
import { useUndoAct, useWeighAct } from '../api/program-act.ts';
import { describeReturns, describeStays } from '../model/act-counts.ts';
import { UNDO_MESSAGES as TEXT } from '../model/undo-messages.ts';

interface UndoActProps {
  readonly change: ListedChange;
}

/** What a program did is undone as one act, after it was said what comes back; or why it cannot be. */
export function UndoAct({ change }: UndoActProps) {
  switch (change.undo) {
    case 'possible':
      return <UndoButton change={change} />;
    case 'undone':
      return <p className="text-sm text-ink-soft">{TEXT.undone}</p>;
    case 'too_large':
      return <p className="text-sm text-ink-soft">{TEXT.tooLarge}</p>;
    case 'never':
      return <p className="text-sm text-ink-soft">{TEXT.never}</p>;
    default:
      return null;
  }
}

function UndoButton({ change }: UndoActProps) {
  const weigh = useWeighAct();
  const undo = useUndoAct();
  const [isAsking, setAsking] = useState(false);
  const counts = weigh.data ?? {};
  const returns = describeReturns(counts);
  const stays = describeStays(counts);
  const begin = async () => {
    try {
      const found = await weigh.mutateAsync(change.id);
      setAsking(describeReturns(found).length > 0);
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.failed));
    }
  };
  const confirm = async () => {
    try {
      const done = await undo.mutateAsync(change.id);
      toast.success(TEXT.undone, [...describeReturns(done), ...describeStays(done)].join(' '));
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.failed));
    }
    setAsking(false);
  };
  return (
    <>
      {weigh.isSuccess && returns.length === 0 ? (
        <p role="status" className="text-sm text-ink-soft">
          {[TEXT.nothing, ...stays].join(' ')}
        </p>
      ) : (
        <Button size="small" className="mt-1.5" busy={weigh.isPending} onClick={() => void begin()}>
          {TEXT.undo}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        tone="primary"
        title={TEXT.title(change.program)}
        description={TEXT.lead}
        confirmLabel={TEXT.undo}
        busy={undo.isPending}
        busyLabel={TEXT.undoing}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirm()}
      >
        <ul className="mt-3 list-disc ps-5 text-base break-words text-ink">
          {returns.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {stays.map((sentence) => (
            <li key={sentence} className="text-ink-soft">
              {sentence}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}
