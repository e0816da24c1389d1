import { type OwnOrderScope, setOwnOrder } from '../../../features/categories/api/set-own-order.ts';
import { type PlannedPlacing, planPlacing } from '../../../features/links/api/place-links.ts';
import {
  describePlacing,
  ORDER_MESSAGES as words,
} from '../../../features/links/model/ordering/order-messages.ts';
import type { LinkPlacing } from '../../../features/links/model/ordering/own-order.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { rememberUndo } from '../../../shared/lib/writes/undo-history.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';

/** Gives a category its own order, and says how links get their place; or lays it aside, which the list itself shows. */
export async function setOrder(scope: OwnOrderScope, on: boolean): Promise<void> {
  if (await succeeds(setOwnOrder(scope, on), words.setFailed)) {
    const touch = window.matchMedia('(pointer: coarse)').matches;
    if (on) toast.success(words.on.title, touch ? words.on.byTouch : words.on.description);
  }
}

/**
 * Puts links somewhere else. What was dropped is said, with the way back; who goes step by step has it by the undo key, and would stumble
 * over words.
 */
export async function placeLinks(scope: OwnOrderScope, placing: LinkPlacing): Promise<void> {
  const plan = planPlacing(scope, placing);
  if (plan === null) return;
  const done = succeeds(plan.run(), words.placeFailed);
  if (placing.step) {
    const forget = rememberUndo({ undo: () => void undo(plan), drop: () => undefined });
    if (!(await done)) forget();
    return;
  }
  await followWithUndo(
    done.then((placed) => (placed ? plan : null)),
    { describe: () => describePlacing(placing.ids.length), undo: (placed) => void undo(placed) },
  );
}

async function undo(plan: PlannedPlacing): Promise<void> {
  if (await succeeds(plan.undo(), words.undoFailed)) toast.success(words.undone);
}

/** True when it went well; else the person has been told. */
async function succeeds(write: Promise<void>, failure: string): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    toast.error(failure, describeError(error, words.tryAgain));
    return false;
  }
}
