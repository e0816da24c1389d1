import { useState } from 'react';
import { readEmails, type WrongEmail } from './read-emails.ts';

const NONE: readonly WrongEmail[] = [];

/** A list that is being made. */
interface EmailDraft {
  /** All of it. */
  readonly emails: readonly string[];
  /** What is new on it. */
  readonly fresh: readonly string[];
  readonly add: (emails: readonly string[]) => void;
}

/** What an entry came to. */
interface Entry {
  readonly added: readonly string[];
  /** Nothing of it has to be mended. */
  readonly complete: boolean;
}

/** Where it is no category that is shared. */
interface TypedEmailsOptions {
  /** What is said of one's own address. */
  readonly ownEmail: string;
  /** As many as the list may hold. */
  readonly max?: number;
}

/** What stands in the field for addresses, what was entered and is none, and what is wrong. */
export function useTypedEmails(draft: EmailDraft, ownEmail: string, options?: TypedEmailsOptions) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(NONE);
  const [note, setNote] = useState<string | null>(null);
  const read = (typed: string, listed = draft.emails) =>
    readEmails(typed, { listed, ownEmail, ownEmailWords: options?.ownEmail, max: options?.max });
  const change = (next: string) => {
    setText(next);
    setNote(null);
  };

  /** Puts the addresses of `typed` on the list, and those that were refused for want of room. */
  const enter = (typed: string): Entry => {
    const again = read(wrong.map((each) => each.text).join('\n'));
    const now = read(typed, [...draft.emails, ...again.added]);
    const added = [...again.added, ...now.added];
    const left = [...again.wrong, ...now.wrong.filter(({ text: word }) => !isAmong(again.wrong, word))];
    if (added.length > 0) draft.add(added);
    setWrong(left);
    setText(now.rest);
    setNote(now.repeated);
    return { added, complete: left.length === 0 && now.rest === '' };
  };

  return {
    text,
    wrong,
    /** Every reason once, then what else there is to say. */
    error: [...new Set([...wrong.map(({ reason }) => reason), ...(note === null ? [] : [note])])].join(' · '),
    /** People who get a mail when this is saved, with those whose address still stands in the field. */
    invited: draft.fresh.length + read(text).added.length,
    /** Whether something was typed that is not on the list. */
    pending: text.trim() !== '' || wrong.length > 0,
    setText: change,
    setNote,
    enter,
    removeWrong: (word: string) => setWrong((last) => last.filter((each) => each.text !== word)),
    /** Takes a wrong address back into the field; what stands there goes after it. */
    mend: (word: string) => {
      setWrong((last) => last.filter((each) => each.text !== word));
      change(text.trim() === '' ? word : `${word} ${text.trim()}`);
    },
  };
}

function isAmong(wrong: readonly WrongEmail[], word: string): boolean {
  return wrong.some((each) => each.text === word);
}

export type TypedEmails = ReturnType<typeof useTypedEmails>;
