import { ACCESS_MESSAGES } from '@linkoteca/domain/access-messages';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Viewing } from '../../features/sharing/model/judge-viewing.ts';
import { toast } from '../../shared/ui/toast.ts';

/** One at a time: a page that is left twice says so once. */
const TOAST_ID = 'shared-access';

/**
 * Goes to / with the words of section 8 where access has ended, or could not be checked. There the revoked screen stands
 * for whoever lost access; a check that failed can be tried again.
 */
export function useLeaveShared(state: Viewing['state']): void {
  const navigate = useNavigate();
  const pathname = useLocation({ select: (location) => location.pathname });

  // biome-ignore lint/correctness/useExhaustiveDependencies: on the way out the path changes, what happened does not
  useEffect(() => {
    if (state === 'revoked') {
      toast.error(ACCESS_MESSAGES.revokedOrUnavailable, undefined, { id: TOAST_ID });
      void navigate({ to: '/', replace: true, state: { accessRevoked: true } });
    } else if (state === 'failed') {
      const onPress = () => void navigate({ to: pathname });
      toast.error(ACCESS_MESSAGES.checkFailed, undefined, {
        id: TOAST_ID,
        action: { label: ACCESS_MESSAGES.retry, onPress },
      });
      void navigate({ to: '/', replace: true, state: { accessUnchecked: true } });
    }
  }, [state, navigate]);
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Access to a shared category ended while it was on the screen. */
    accessRevoked?: true;
    /** It could not be checked. */
    accessUnchecked?: true;
  }
}
