import {
  describeCaptured,
  describeWaiting,
  CAPTURE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/capture-messages';
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
import { toast } from '../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../../shared/ui/feedback/toast-with-undo.ts';

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
    const { waiting, reason } = captured;
    const [first] = waiting;
    const next = {
      label: first ? TEXT.see : TEXT.organize,
      onPress: () => void navigate({ to: '/entrada' }),
    };
    if (first) {
      const title = describeKept(captures.length - waiting.length, waiting);
      toastWithUndo(title, () => void undo(), { tone: 'info', description: reason ?? undefined, next });
    } else toastWithUndo(describeCaptured(captures.length), () => void undo(), { next });
    return true;
  };
}

function describeKept(saved: number, waiting: readonly WaitingCapture[]): string {
  if (saved > 0) return `${describeCaptured(saved)} · ${describeWaiting(waiting.length)}`;
  return waiting[0]?.refusal === null ? TEXT.kept : describeWaiting(waiting.length);
}
