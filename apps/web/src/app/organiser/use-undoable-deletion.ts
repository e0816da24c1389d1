import { BIN_MESSAGES } from '@linkoteca/domain/messages/bin-messages';
import { describeCategoryLimit, describeLinkLimit } from '@linkoteca/domain/messages/plan-messages';
import { UNDO_MESSAGES } from '@linkoteca/domain/messages/undo-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { describeError, readError } from '../../shared/lib/describe-error.ts';
import { useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { callInParts, PartlyDone } from '../../shared/lib/writes/call-in-parts.ts';
import type { Deletion } from '../../shared/lib/writes/deletion.ts';
import { reserveUndo } from '../../shared/lib/writes/undo-history.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';

/** A deletion that the screen shows already and the service may not have answered yet. */
interface UndoableDeletion extends Deletion {
  readonly itemType: DeletedItemType;
  /** It is really back. */
  readonly onRestored?: () => void;
}

interface Backend {
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly openBin: () => void;
}

/** An answer that takes longer than this gets a word, and its way back, before it comes. Milliseconds. */
const SLOW_ANSWER_MS = 400;

/** Says how a deletion ends, and offers the way back: for 10 s by button, by key for as long as the page is open. */
export function useUndoableDeletion(): (deletion: UndoableDeletion) => Promise<void> {
  const navigate = useNavigate();
  const backend: Backend = {
    database: useDatabase(),
    queryClient: useQueryClient(),
    openBin: () => void navigate({ to: '/lixeira' }),
  };
  return (deletion) => followDeletion(backend, deletion);
}

/** The same, for whoever has the backend at hand. @param undoPlace kept for it since the person asked for it. */
export async function followDeletion(
  backend: Backend,
  deletion: UndoableDeletion,
  undoPlace = reserveUndo(),
): Promise<void> {
  let toastId: string | undefined;
  let taken = undoPlace.isTaken();
  if (taken) void takeBack(backend, deletion);
  const place = () => (toastId === undefined ? {} : { id: toastId });
  const action = {
    label: UNDO_MESSAGES.undo,
    hint: `${UNDO_MESSAGES.undo} (Ctrl+Z)`,
    onPress: () => {
      if (taken) return;
      taken = true;
      forget();
      void takeBack(backend, deletion);
    },
  };
  const drop = () => {
    if (toastId !== undefined) toast.close(toastId);
  };
  const forget = undoPlace.fill({
    undo: () => {
      drop();
      action.onPress();
    },
    drop,
  });
  const slow = window.setTimeout(() => {
    if (!taken) toastId = toast.info(deletion.going, undefined, { action, timeoutMs: 0 });
  }, SLOW_ANSWER_MS);

  try {
    await deletion.done;
  } catch (error) {
    forget();
    const { title, description } = deletion.describeFailure(error);
    toast.error(title, description, place());
    const part = deletion.partGone?.(error);
    if (part) void (taken ? takeBack : followDeletion)(backend, { ...deletion, ...part });
    return;
  } finally {
    window.clearTimeout(slow);
  }
  void backend.queryClient.invalidateQueries({ queryKey: ['bin'] });
  if (!taken) toastId = toast.success(deletion.gone, undefined, { ...place(), action });
}

async function takeBack(backend: Backend, deletion: UndoableDeletion): Promise<void> {
  const answered = await deletion.done.then(
    () => true,
    () => false,
  );
  // Refused: it never went, and that has been said.
  if (!answered) return;
  const shown = await deletion.beginRestore();
  try {
    const restored = await undoDeletion(backend.database, deletion.itemType, deletion.ids);
    askAgain(backend.queryClient, deletion, restored);
  } catch (error) {
    shown.undo();
    // It may be back already, restored from the bin: what is shown is no better known than what was taken back.
    if (error instanceof PartlyDone || error instanceof NothingToRestore)
      void backend.queryClient.invalidateQueries();
    sayFailure(backend, deletion, error);
    return;
  } finally {
    shown.settle();
  }
  deletion.onRestored?.();
  toast.success(UNDO_MESSAGES.undone, deletion.what);
}

/** Has everything cached read anew, except lists of links that are known to be right: they may be long. */
function askAgain(queryClient: QueryClient, { itemType, ids }: UndoableDeletion, restored: number): void {
  const exact = itemType === 'link' && restored === ids.length;
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !exact || queryKey[0] !== 'links' });
}

function sayFailure(backend: Backend, deletion: UndoableDeletion, error: unknown): void {
  const { reason, final } = describeUndoFailure(error);
  const retry = { label: UNDO_MESSAGES.retry, onPress: () => void takeBack(backend, deletion) };
  const bin = { label: BIN_MESSAGES.open, onPress: backend.openBin };
  toast.error(UNDO_MESSAGES.failed, reason, { action: final ? bin : retry });
}

/** Why a deletion could not be undone, and whether trying again may help. */
export function describeUndoFailure(error: unknown): { readonly reason: string; readonly final: boolean } {
  if (error instanceof PartlyDone) return describeUndoFailure(error.cause);
  if (error instanceof NothingToRestore) return { reason: UNDO_MESSAGES.expired, final: true };
  if (readError(error).code === 'PT409') return { reason: UNDO_MESSAGES.placeGone, final: true };
  const refusal = readRefusal(error);
  switch (refusal.kind) {
    case 'link_limit':
      return { reason: `${describeLinkLimit(refusal.max).title}.`, final: false };
    case 'category_limit':
      return { reason: `${describeCategoryLimit(refusal.max).title}.`, final: false };
    case 'name_taken':
      return { reason: UNDO_MESSAGES.nameTaken, final: false };
    default:
      return { reason: describeError(error, 'O que foi excluído ainda pode voltar.'), final: false };
  }
}

/** What kind of thing was deleted; what was inside came along. */
type DeletedItemType = 'folder' | 'category' | 'link';

/** The deletion can no longer be undone: the service has nothing of it (any more). */
export class NothingToRestore extends Error {
  override readonly name = 'NothingToRestore';
}

/**
 * Brings back what the person has just deleted, with everything that went with it, all or nothing as far
 * as one call goes.
 * @returns how many of the named items came back; fewer than asked when some had gone before.
 * @throws NothingToRestore; PartlyDone where more than one call was needed; the table API's error where the place is gone, the name is taken or the plan is full.
 */
async function undoDeletion(
  database: DatabaseClient,
  itemType: DeletedItemType,
  ids: readonly string[],
): Promise<number> {
  const restored = await callInParts(ids, async (part) => {
    const { data } = await database
      .rpc('undo_deletion', { item_type: itemType, item_ids: part })
      .throwOnError();
    return readCount(data, { folder: 'folders', category: 'categories', link: 'links' }[itemType]);
  });
  if (restored === 0) throw new NothingToRestore('nothing to bring back');
  return restored;
}

function readCount(counts: unknown, name: string): number {
  const count = typeof counts === 'object' && counts !== null ? Reflect.get(counts, name) : 0;
  return typeof count === 'number' ? count : 0;
}
