import {
  describeCaptured,
  describeWaiting,
  CAPTURE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/capture-messages';
import { UNDO_MESSAGES } from '@linkoteca/domain/messages/undo-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { addCaptures, OutboxFull } from '../../features/captures/api/outbox-store.ts';
import { settleCaptures } from '../../features/captures/api/settle-captures.ts';
import { undoCaptures } from '../../features/captures/api/undo-captures.ts';
import type { Capture, WaitingCapture } from '../../features/captures/model/capture.ts';
import { describeRefusedCapture } from '../../features/captures/model/describe-refused-capture.ts';
import { useConnection } from '../../shared/lib/connection/connection-context.tsx';
import type { Connection } from '../../shared/lib/connection/create-connection.ts';
import { describeError } from '../../shared/lib/describe-error.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import { rememberUndo } from '../../shared/lib/writes/undo-history.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';

/** What became of captures. */
export interface Captured {
  /** Those that wait on this device. */
  readonly waiting: readonly WaitingCapture[];
  /** Why the first of them does, in words for the person; null where none does. */
  readonly reason: string | null;
}

/**
 * Keeps captures on this device, whence they are sent. @returns what became of them once that is known, or the network is away; null
 * where nothing could be kept, which the person has been told.
 */
export function useCaptures(): (captures: readonly Capture[]) => Promise<Captured | null> {
  const userId = useUserId();
  const connection = useConnection();
  return async (captures) => {
    try {
      await addCaptures(userId, captures);
    } catch (error) {
      const isFull = error instanceof OutboxFull;
      toast.error(isFull ? TEXT.full : TEXT.notKept, isFull ? TEXT.fullWhy : TEXT.notKeptWhy);
      return null;
    }
    const waiting = await settleCaptures(userId, captures, connection);
    const [first] = waiting;
    return { waiting, reason: first ? describeReason(first, connection) : null };
  };
}

function describeReason({ refusal }: WaitingCapture, connection: Connection | null): string {
  if (refusal !== null) return describeRefusedCapture(refusal);
  return connection?.isOnline() === false ? TEXT.keptWhy : TEXT.waiting.sending;
}

/** The same, and says how it ended: 'Salvo', with ways to organize and to undo. Resolves to whether the captures are kept. */
export function useCaptureWithWords(): (captures: readonly Capture[]) => Promise<boolean> {
  const capture = useCaptures();
  const userId = useUserId();
  const database = useDatabase();
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  return async (captures) => {
    const captured = await capture(captures);
    if (captured === null) return false;
    const undo = async () => {
      try {
        await undoCaptures(database, userId, captures);
        toast.success(TEXT.undone);
      } catch (error) {
        toast.error(TEXT.undoFailed, describeError(error, 'Tente de novo.'));
      } finally {
        void queryClient.invalidateQueries();
      }
    };
    sayCaptured(
      captures,
      captured,
      () => void undo(),
      () => void navigate({ to: '/entrada' }),
    );
    return true;
  };
}

function sayCaptured(
  captures: readonly Capture[],
  { waiting, reason }: Captured,
  onUndo: () => void,
  onOrganize: () => void,
): void {
  const saved = captures.length - waiting.length;
  const [first] = waiting;
  let taken = false;
  const take = () => {
    if (taken) return;
    taken = true;
    forget();
    onUndo();
  };
  const drop = () => toast.close(id);
  const forget = rememberUndo({
    undo: () => {
      drop();
      take();
    },
    drop,
  });
  const action = { label: UNDO_MESSAGES.undo, hint: `${UNDO_MESSAGES.undo} (Ctrl+Z)`, onPress: take };
  const next = { label: first ? TEXT.see : TEXT.organize, onPress: onOrganize };
  const options = { action, next, onClose: forget };
  const id = first
    ? toast.info(
        saved === 0 && first.refusal === null
          ? TEXT.kept
          : [saved > 0 ? describeCaptured(saved) : null, describeWaiting(waiting.length)]
              .filter(Boolean)
              .join(' · '),
        reason ?? undefined,
        options,
      )
    : toast.success(describeCaptured(saved), undefined, options);
}
