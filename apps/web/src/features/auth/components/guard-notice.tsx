import { DELAY_MS } from '@linkoteca/domain/limits';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useMemo, useRef } from 'react';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';

interface GuardNotice {
  /** Starts the 3 s wait for a user, unless it runs already. */
  readonly arm: () => void;
}

const GuardNoticeContext = createContext<GuardNotice>({ arm: () => undefined });

export function useGuardNotice(): GuardNotice {
  return use(GuardNoticeContext);
}

/**
 * Keeps the guard's wait across the move to /login: the guard itself is gone by then. A user who appears in time ends
 * the wait without a word.
 */
export function GuardNoticeProvider({ children }: { readonly children: ReactNode }) {
  const { status } = useSession();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (status !== 'signed-in') return;
    clearTimeout(timer.current);
    timer.current = undefined;
  }, [status]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const notice = useMemo<GuardNotice>(
    () => ({
      arm: () => {
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          toast.error(ACCOUNT_MESSAGES.guard.page, undefined, { timeoutMs: DELAY_MS.guardToast });
        }, DELAY_MS.guardWait);
      },
    }),
    [],
  );
  return <GuardNoticeContext value={notice}>{children}</GuardNoticeContext>;
}
