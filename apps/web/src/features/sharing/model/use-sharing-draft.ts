import { type SharingMode, sharingModeOf } from '@linkoteca/domain/sharing';
import { useState } from 'react';
import type { Sharing } from '../api/load-sharing.ts';

const NONE: readonly string[] = [];

/**
 * What the person changes, kept as steps on what is stored: what comes to the list elsewhere meanwhile stays in it.
 */
export function useSharingDraft(stored: Sharing | undefined) {
  const [chosen, setChosen] = useState<SharingMode | null>(null);
  const [added, setAdded] = useState(NONE);
  const [removed, setRemoved] = useState(NONE);

  const listed = stored?.emails ?? NONE;
  const before = sharingModeOf({
    is_public: stored?.is_public === true,
    is_restricted: listed.length > 0,
  });
  const mode = chosen ?? before;
  const fresh = added.filter((email) => !listed.includes(email));
  const kept = listed.filter((email) => !removed.includes(email));
  return {
    /** How it is stored. */
    before,
    mode,
    choose: setChosen,
    /** Newly invited, in the order in which they came. */
    fresh,
    /** Stored and not taken out. */
    kept,
    emails: [...kept, ...fresh],
    changed: mode !== before || (mode === 'restricted' && (fresh.length > 0 || kept.length < listed.length)),
    add: (emails: readonly string[]) => {
      setRemoved((gone) => gone.filter((email) => !emails.includes(email)));
      setAdded((last) => [...last, ...emails]);
    },
    remove: (email: string) => {
      setAdded((last) => last.filter((each) => each !== email));
      setRemoved((gone) => [...gone, email]);
    },
  };
}

export type SharingDraft = ReturnType<typeof useSharingDraft>;
