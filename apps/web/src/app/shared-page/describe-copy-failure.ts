import { COPY_MESSAGES } from '@linkoteca/domain/access-messages';
import { CATEGORY_MESSAGES } from '@linkoteca/domain/category-messages';
import { FOLDER_MESSAGES } from '@linkoteca/domain/folder-messages';
import { describeCategoryLimit, describeLinkLimit, type Notice } from '@linkoteca/domain/plan-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { describeError } from '../../shared/lib/describe-error.ts';

interface CopyFailure extends Notice {
  /** The plan has no room: the way on leads to the plans. */
  readonly atLimit: boolean;
}

/** Why a category was not copied, in words; 'received-limit' where the plan does not even open it. */
export function describeCopyFailure(error: unknown): CopyFailure | 'received-limit' {
  const { code, message } = readFields(error);
  const refusal = readRefusal(error);
  if (refusal.kind === 'received_limit') return 'received-limit';
  if (refusal.kind === 'link_limit') return { ...describeLinkLimit(refusal.max), atLimit: true };
  if (refusal.kind === 'category_limit') return { ...describeCategoryLimit(refusal.max), atLimit: true };
  const title = COPY_MESSAGES.failed;
  if (refusal.kind === 'name_taken') return { title, description: FOLDER_MESSAGES.nameTaken, atLimit: false };
  // What the database says in these cases is written for people.
  if (code === 'PT404')
    return {
      title,
      description: message === CATEGORY_MESSAGES.notFound ? message : COPY_MESSAGES.folderGone,
      atLimit: false,
    };
  if (code === 'PT400') return { title, description: COPY_MESSAGES.tooMany, atLimit: false };
  return { title, description: describeError(error, COPY_MESSAGES.failedHint), atLimit: false };
}

function readFields(error: unknown): Readonly<Record<'code' | 'message', unknown>> {
  if (typeof error !== 'object' || error === null) return { code: null, message: null };
  const { code, message } = error as Record<string, unknown>;
  return { code, message };
}
