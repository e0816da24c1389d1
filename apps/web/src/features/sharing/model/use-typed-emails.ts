import { useState } from 'react';
import { type ReadEmails, readEmails } from './read-emails.ts';
import type { SharingDraft } from './use-sharing-draft.ts';

/** What stands in the field for addresses, and what is wrong with it. */
export function useTypedEmails(draft: SharingDraft, ownEmail: string) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  return {
    text,
    error,
    setError,
    setText: (next: string) => {
      setText(next);
      setError(null);
    },
    /** Puts the addresses of `typed` on the list; what is none stays in the field. */
    enter: (typed: string): ReadEmails => {
      const read = readEmails(typed, { listed: draft.emails, ownEmail });
      if (read.added.length > 0) draft.add(read.added);
      setText(read.rest);
      setError(read.error);
      return read;
    },
  };
}

export type TypedEmails = ReturnType<typeof useTypedEmails>;
