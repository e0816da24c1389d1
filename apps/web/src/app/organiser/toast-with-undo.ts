import { UNDO_MESSAGES } from '@linkoteca/domain/messages/undo-messages';
import { rememberUndo } from '../../shared/lib/writes/undo-history.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';

/** Says what was done and offers the way back while the words stand there: by button and by the undo key. */
export function toastWithUndo(title: string, undo: () => void): void {
  let taken = false;
  const take = () => {
    if (taken) return;
    taken = true;
    forget();
    undo();
  };
  const drop = () => toast.close(id);
  const forget = rememberUndo({
    undo: () => {
      drop();
      take();
    },
    drop,
  });
  const id = toast.success(title, undefined, {
    action: { label: UNDO_MESSAGES.undo, hint: `${UNDO_MESSAGES.undo} (Ctrl+Z)`, onPress: take },
    onClose: forget,
  });
}
