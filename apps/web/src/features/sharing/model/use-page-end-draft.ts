import { useState } from 'react';
import { type PageEndChoice, readPageEnd, toDay } from './page-end.ts';

/** What the person chooses of the end of a public page, before it is saved. */
export function usePageEndDraft(storedEnd: string | null) {
  const [choice, choose] = useState<PageEndChoice>('kept');
  const [day, setDay] = useState(() => toDay(new Date(Date.now() + 7 * 86_400_000)));
  return {
    storedEnd: storedEnd === null ? null : new Date(storedEnd),
    choice: choice === 'kept' && storedEnd === null ? 'never' : choice,
    choose,
    day,
    setDay,
    changed: choice !== 'kept' && !(choice === 'never' && storedEnd === null),
    /** A day that has to be mended. */
    isWrong: choice === 'day' && readPageEnd(choice, day, new Date()) === undefined,
    read: () => readPageEnd(choice, day, new Date()),
  };
}

export type PageEndDraft = ReturnType<typeof usePageEndDraft>;
