import { describeCategoryLimit, describeLinkLimit } from '@linkoteca/domain/plan-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { UNDO_MESSAGES } from '@linkoteca/domain/undo-messages';
import { PartlyDone } from '../../shared/lib/call-in-parts.ts';
import { describeError } from '../../shared/lib/describe-error.ts';
import { NothingToRestore } from './undo-deletion.ts';

/** Why a deletion could not be undone, and whether trying again may help. */
export function describeUndoFailure(error: unknown): { readonly reason: string; readonly final: boolean } {
  if (error instanceof PartlyDone) return describeUndoFailure(error.cause);
  if (error instanceof NothingToRestore) return { reason: UNDO_MESSAGES.expired, final: true };
  if (readCode(error) === 'PT409') return { reason: UNDO_MESSAGES.placeGone, final: true };
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

function readCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}
