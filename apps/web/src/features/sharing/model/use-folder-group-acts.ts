import type { FolderRole } from '@linkoteca/domain/folder-roles';
import {
  describeFullList,
  FOLDER_SHARING_MESSAGES,
} from '@linkoteca/domain/messages/folder-sharing-messages';
import {
  describeEndedGroup,
  describeSharedWithGroup,
  GROUP_MESSAGES as words,
} from '@linkoteca/domain/messages/group-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { type FolderGroup, useFolderGroupWrites } from '../api/folder-groups.ts';

/** Why a group's people got no access, in words. */
export function describeGroupRefusal(error: unknown): string {
  const refusal = readRefusal(error);
  if (refusal.kind === 'folder_member_limit') return describeFullList(refusal.max);
  if (refusal.kind === 'sharing_gate') return FOLDER_SHARING_MESSAGES.notIncluded;
  if (refusal.kind === 'name_taken') return words.nameTaken;
  return describeError(error, 'Tente de novo em instantes.');
}

/** What is done with the groups of a folder, each with its word afterwards. None of them throws. */
export function useFolderGroupActs(folderId: string) {
  const writes = useFolderGroupWrites(folderId);
  const share = async (group: Pick<FolderGroup, 'id' | 'name'>, role: FolderRole) => {
    try {
      await writes.share.mutateAsync({ id: group.id, role });
      toast.success(describeSharedWithGroup(group.name));
    } catch (error) {
      toast.error(words.shareFailed, describeGroupRefusal(error));
    }
  };
  return {
    share,
    end: (group: FolderGroup) =>
      writes.end.mutate(group, {
        onSuccess: ({ role }) => toastWithUndo(describeEndedGroup(group.name), () => void share(group, role)),
        onError: (error) => toast.error(words.endFailed, describeGroupRefusal(error)),
      }),
  };
}
