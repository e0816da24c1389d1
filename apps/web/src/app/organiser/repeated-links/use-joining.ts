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
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';

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
  /** What was joined; null where nothing was, and the person has been told. */
  const send = async (joins: readonly Join[]): Promise<readonly Joined[] | null> => {
    try {
      const joined = await join.mutateAsync(joins);
      if (joined.length > 0) return joined;
      toast.info(TEXT.changed, TEXT.changedWhy);
    } catch (error) {
      toast.error(TEXT.joinFailed, describeError(error, TEXT.joinFailedWhy));
    }
    return null;
  };
  const countGone = (joined: readonly Joined[]) => joined.flatMap(({ gone }) => gone).length;
  return async (joins) => {
    const joined = await followWithUndo(send(joins), {
      describe: (done) => describeJoined(done.length, countGone(done)),
      undo: (done) => void takeBack(done),
    });
    const asked = joins.flatMap(({ group }) => group.links).length;
    if (joined && countGone(joined) + joined.length < asked) toast.info(TEXT.someChanged);
  };
}
