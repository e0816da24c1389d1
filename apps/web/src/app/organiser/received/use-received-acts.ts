import { describeLeft, RECEIVED_SHARE_MESSAGES as words } from '@linkoteca/domain/messages/sharing-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useChooseShare } from '../../../features/categories/api/choose-share.ts';
import { useLeaveShare, useReturnToShare } from '../../../features/categories/api/leave-share.ts';
import type { ReceivedShare } from '../../../features/categories/api/list-received-shares.ts';
import { linkListKey } from '../../../features/links/model/link-rows.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { useLeaveCategory } from '../use-leave-category.ts';
import { useOpenCategory } from '../use-open-category.ts';

interface ReceivedActs {
  /** Has this category opened instead of the one that is, and goes there. */
  readonly choose: (categoryId: string) => Promise<void>;
  /** Leaves, says so, and offers the way back. */
  readonly leave: (share: ReceivedShare) => Promise<void>;
  readonly choosing: boolean;
}

/** What a person can do with what others share with them. */
export function useReceivedActs(): ReceivedActs {
  const queryClient = useQueryClient();
  const chosen = useChooseShare();
  const left = useLeaveShare();
  const returned = useReturnToShare();
  const leaveScreen = useLeaveCategory();
  const goTo = useOpenCategory();

  const comeBack = async ({ id }: ReceivedShare, reopen: () => void) => {
    try {
      const isOpen = await returned.mutateAsync(id);
      toast.success(isOpen ? words.returned : words.accepted);
      if (isOpen) reopen();
    } catch (error) {
      toast.error(words.returnFailed, describeError(error, words.tryAgain));
    }
  };
  return {
    choosing: chosen.isPending,
    choose: async (categoryId) => {
      try {
        await chosen.mutateAsync(categoryId);
      } catch (error) {
        toast.error(words.chooseFailed, describeError(error, words.tryAgain));
        return;
      }
      // What was read while it was closed is an empty list.
      queryClient.removeQueries({ queryKey: linkListKey(categoryId) });
      goTo(categoryId);
    },
    leave: async (share) => {
      const reopen = leaveScreen([share.id]);
      const leaving = left.mutateAsync(share).then(
        () => share,
        (error: unknown) => {
          reopen();
          toast.error(words.leaveFailed, describeError(error, words.tryAgain));
          return null;
        },
      );
      await followWithUndo(leaving, {
        describe: ({ name }) => describeLeft(name),
        undo: () => void comeBack(share, reopen),
      });
    },
  };
}
