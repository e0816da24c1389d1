import {
  describeFullList,
  FOLDER_SHARING_MESSAGES as words,
} from '@linkoteca/domain/messages/folder-sharing-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { describeError } from '../../../shared/lib/describe-error.ts';

/** Why a folder is not shared further, in words. */
export function describeFolderRefusal(error: unknown): string {
  const refusal = readRefusal(error);
  if (refusal.kind === 'folder_member_limit') return describeFullList(refusal.max);
  return refusal.kind === 'sharing_gate'
    ? words.notIncluded
    : describeError(error, 'Tente de novo em instantes.');
}
