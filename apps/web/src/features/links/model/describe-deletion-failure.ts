import { describeLeftOver, LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readError } from '../../../shared/lib/describe-error.ts';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { PartlyDone } from '../../../shared/lib/writes/call-in-parts.ts';

/**
 * What a person reads when links could not be deleted.
 * @param error what the call threw: PGRST202 where the service lacks the function, PT400 where the list was empty.
 * @param bulk true for links picked in selection mode.
 * @param count how many were to go.
 */
export function describeDeletionFailure(
  error: unknown,
  bulk: boolean,
  count: number,
): { readonly title: string; readonly description?: string } {
  if (error instanceof PartlyDone) {
    const { title, description = '' } = describeDeletionFailure(error.cause, bulk, count);
    return { title, description: `${describeLeftOver(count - error.doneIds.size)} ${description}`.trim() };
  }
  const { code, message } = readError(error);
  if (code === 'PGRST202') return { title: LINK_MESSAGES.bulkDeleteMissing };
  if (code === 'PT400' && message === LINK_MESSAGES.noneToDelete)
    return { title: LINK_MESSAGES.noneToDelete };
  const words = bulk ? SERVICE_WORDS.link.deleteMany : SERVICE_WORDS.link.delete;
  return {
    title: bulk ? LINK_MESSAGES.bulkDeleteFailed : LINK_MESSAGES.deleteFailed,
    description: describeServiceFailure(error, words, 'Tente de novo.'),
  };
}
