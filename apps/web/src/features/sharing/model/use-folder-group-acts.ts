import type { FolderRole } from '@linkoteca/domain/folder-roles';
import {
  describeEndedGroup,
  describeSharedWithGroup,
  GROUP_MESSAGES as words,
} from '@linkoteca/domain/messages/group-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { type FolderGroup, useFolderGroupWrites } from '../api/folder-groups.ts';
import { describeFolderRefusal } from './describe-folder-refusal.ts';

/** Why a group's people got no access, in words. */
export function describeGroupRefusal(error: unknown): string {
  return readRefusal(error).kind === 'name_taken' ? words.nameTaken : describeFolderRefusal(error);
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
      void writes.end.mutateAsync(group).then(
        ({ role }) => toastWithUndo(describeEndedGroup(group.name), () => void share(group, role)),
        (error: unknown) => toast.error(words.endFailed, describeGroupRefusal(error)),
      ),
  };
}
