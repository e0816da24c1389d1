import {
  describeAllowed,
  ACCESS_ANSWER_MESSAGES as words,
} from '@linkoteca/domain/messages/access-request-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { type AccessRequest, useAnswerAccessRequest } from '../api/access-requests.ts';

/**
 * Answers requests for access and says how it went; a refusal can be taken back while its words stand there.
 * @param onGate the owner's plan does not share.
 */
export function useRequestAnswers(onGate: () => void) {
  const answering = useAnswerAccessRequest();
  const takeBack = async (request: AccessRequest) => {
    try {
      await answering.mutateAsync({ request, allow: null });
    } catch (error) {
      toast.error(words.undoFailed, describeRefusal(error, words.tryAgain));
    }
  };
  const answer = async (request: AccessRequest, allow: boolean) => {
    if (answering.isPending) return;
    try {
      await answering.mutateAsync({ request, allow });
    } catch (error) {
      if (readRefusal(error).kind === 'sharing_gate') onGate();
      else toast.error(words.failed, describeRefusal(error, words.tryAgain));
      return;
    }
    if (allow) toast.success(describeAllowed(request.asker_name, request.category_name));
    else
      toastWithUndo(words.refused, () => void takeBack(request), {
        tone: 'info',
        description: words.refusedHint,
      });
  };
  const { request, allow } = answering.variables ?? {};
  return {
    answer,
    /** What is under way: whose request, and which answer. */
    answering: answering.isPending && request ? { id: request.id, allow } : null,
  };
}
