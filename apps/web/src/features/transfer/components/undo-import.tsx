import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useUndoImport } from '../api/use-undo-import.ts';
import { describeUndone, TRANSFER_MESSAGES } from '../model/transfer-messages.ts';

const words = TRANSFER_MESSAGES.import;

interface UndoImportProps {
  readonly importId: string;
  readonly onUndone?: () => void;
}

/** Takes back exactly what an import made. */
export function UndoImport({ importId, onUndone }: UndoImportProps) {
  const undo = useUndoImport();
  const press = () =>
    // Said also to whoever has left it; what they have begun since stays.
    void undo.mutateAsync(importId, { onSuccess: () => onUndone?.() }).then(
      (gone) => toast.success(describeUndone(gone)),
      (error: unknown) => toast.error(words.undoFailed, describeError(error, '')),
    );
  return (
    <Button size="large" busy={undo.isPending} busyLabel={words.undoing} onClick={press}>
      {words.undo}
    </Button>
  );
}
