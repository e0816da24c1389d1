import { BIN_MESSAGES } from '@linkoteca/domain/messages/bin-messages';
import { useNavigate } from '@tanstack/react-router';
import {
  type Join,
  type Joined,
  useJoinRepeatedLinks,
  useUndoJoin,
} from '../../../features/repeated-links/api/join-repeated-links.ts';
import {
  describeJoined,
  REPEATED_MESSAGES as TEXT,
} from '../../../features/repeated-links/model/repeated-messages.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../toast-with-undo.ts';

/** Joins links, says what became of them, and offers the way back. */
export function useJoining(): (joins: readonly Join[]) => Promise<void> {
  const join = useJoinRepeatedLinks();
  const undo = useUndoJoin();
  const navigate = useNavigate();

  const takeBack = async (joined: readonly Joined[]) => {
    try {
      await undo.mutateAsync(joined);
      toast.success(TEXT.back);
    } catch (error) {
      toast.error(TEXT.backFailed, describeError(error, TEXT.backFailedWhy), {
        action: { label: BIN_MESSAGES.open, onPress: () => void navigate({ to: '/lixeira' }) },
      });
    }
  };
  return async (joins) => {
    let joined: readonly Joined[];
    try {
      joined = await join.mutateAsync(joins);
    } catch (error) {
      toast.error(TEXT.joinFailed, describeError(error, TEXT.joinFailedWhy));
      return;
    }
    if (joined.length === 0) {
      toast.info(TEXT.changed, TEXT.changedWhy);
      return;
    }
    const gone = joined.flatMap((each) => each.gone);
    toastWithUndo(describeJoined(joined.length, gone.length), () => void takeBack(joined));
    const asked = joins.flatMap(({ group }) => group.links).length;
    if (gone.length + joined.length < asked) toast.info(TEXT.someChanged);
  };
}
