import { UNDO_MESSAGES } from '@linkoteca/domain/messages/undo-messages';
import { reserveUndo, type UndoPlace } from '../../lib/writes/undo-history.ts';
import { type ToastOptions, toast } from './toast.ts';

interface ToastWords extends Pick<ToastOptions, 'next'> {
  /** How it is said; `success` unless told. */
  readonly tone?: 'success' | 'info';
  readonly description?: string | undefined;
  /** Kept for the act before it could be said; the latest unless told. */
  readonly place?: UndoPlace;
}

/** Says what was done and offers the way back while the words stand there: by button and by the undo key. */
export function toastWithUndo(
  title: string,
  undo: () => void,
  { tone = 'success', description, place = reserveUndo(), ...options }: ToastWords = {},
): void {
  let taken = false;
  const take = () => {
    if (taken) return;
    taken = true;
    forget();
    undo();
  };
  const drop = () => toast.close(id);
  const forget = place.fill({
    undo: () => {
      drop();
      take();
    },
    drop,
  });
  const id = toast[tone](title, description, {
    ...options,
    action: { label: UNDO_MESSAGES.undo, hint: `${UNDO_MESSAGES.undo} (Ctrl+Z)`, onPress: take },
    onClose: forget,
  });
}

interface UndoableAct<Done> {
  readonly describe: (done: Done) => string;
  /** Said below it. */
  readonly explain?: (done: Done) => string | undefined;
  readonly undo: (done: Done) => void;
}

/**
 * Follows what the screen shows already and the service has not answered yet. The undo key takes it back from the start:
 * pressed early it waits for the answer, and never takes back what came before instead. Answered late, it is still taken back after
 * what was done since.
 * @param write what was done; null where nothing was, and the person has been told.
 * @returns the same.
 */
export async function followWithUndo<Done>(
  write: Promise<Done | null>,
  { describe, explain, undo }: UndoableAct<Done>,
): Promise<Done | null> {
  const place = reserveUndo();
  let done: Done | null = null;
  try {
    done = await write;
  } finally {
    if (done === null) place.forget();
  }
  if (done === null) return null;
  if (place.isTaken()) undo(done);
  else toastWithUndo(describe(done), () => undo(done), { description: explain?.(done), place });
  return done;
}
