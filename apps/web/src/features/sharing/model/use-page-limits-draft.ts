import { useState } from 'react';
import { type PageLimits, useSetPageEnd, useSetPagePassword } from '../api/page-limits.ts';
import { usePageEndDraft } from './use-page-end-draft.ts';
import { usePagePasswordDraft } from './use-page-password-draft.ts';

/** What the person changes of the limits of a public page, and how it is saved. @param stored undefined until it is read. */
export function usePageLimitsDraft(categoryId: string, stored: PageLimits | undefined) {
  const setEnd = useSetPageEnd(categoryId);
  const setPassword = useSetPagePassword(categoryId);
  const end = usePageEndDraft(stored?.ends_at ?? null);
  const password = usePagePasswordDraft(stored?.has_password === true);
  const [tried, setTried] = useState(false);
  return {
    end,
    password,
    /** Whether it was to be saved: then what is wrong is said. */
    tried,
    changed: end.changed || password.changed,
    isSaving: setEnd.isPending || setPassword.isPending,
    /** Whether it can be saved as it is. */
    check: (): boolean => {
      setTried(true);
      return !end.isWrong && !password.isTooShort;
    },
    /** Saves what has changed. Throws the table API's error. */
    save: async (): Promise<void> => {
      const newPassword = password.read();
      if (newPassword !== undefined) await setPassword.mutateAsync(newPassword);
      const newEnd = end.read();
      if (newEnd !== undefined) await setEnd.mutateAsync(newEnd);
    },
  };
}

export type PageLimitsDraft = ReturnType<typeof usePageLimitsDraft>;
