import { LINK_MESSAGES } from '@linkoteca/domain/link-messages';
import { describeError } from '../../../shared/lib/describe-error.ts';

/**
 * What a person reads when links could not be deleted.
 * @param error what the call threw: PGRST202 where the service lacks the function, PT400 where the list was empty.
 * @param bulk true for links picked in selection mode.
 */
export function describeDeletionFailure(
  error: unknown,
  bulk: boolean,
): { readonly title: string; readonly description?: string } {
  const { code, message } =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  if (code === 'PGRST202') return { title: LINK_MESSAGES.bulkDeleteMissing };
  if (code === 'PT400' && message === LINK_MESSAGES.noneToDelete)
    return { title: LINK_MESSAGES.noneToDelete };
  return {
    title: bulk ? LINK_MESSAGES.bulkDeleteFailed : LINK_MESSAGES.deleteFailed,
    description: describeError(error, 'Tente de novo.'),
  };
}
