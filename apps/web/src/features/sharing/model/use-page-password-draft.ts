import { PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { useState } from 'react';

/** What the person does about the password of a public page, before it is saved. */
export function usePagePasswordDraft(hasPassword: boolean) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const isOn = wanted ?? hasPassword;
  /** A stored one stays until another is typed. */
  const isTyping = isOn && (!hasPassword || typed !== null);
  const password = typed ?? '';
  return {
    isOn,
    isTyping,
    password,
    turn: setWanted,
    type: setTyped,
    changed: isTyping ? password !== '' || !hasPassword : isOn !== hasPassword,
    isTooShort: isTyping && [...password].length < PASSWORD_MINIMUM.settings,
    /** What to save: a password, null for none, undefined where it stays as it is. */
    read: (): string | null | undefined => (isTyping ? password : isOn === hasPassword ? undefined : null),
  };
}

export type PagePasswordDraft = ReturnType<typeof usePagePasswordDraft>;
