import {
  describeAddedEmails,
  describeInvitations,
  describeRemovedEmail,
} from '@linkoteca/domain/sharing-dialog-messages';
import { useRef } from 'react';
import { announce } from '../../../shared/lib/announce.ts';
import type { SharingDraft } from '../model/use-sharing-draft.ts';
import type { TypedEmails } from '../model/use-typed-emails.ts';
import { EmailEntry } from './email-entry.tsx';
import { InvitedList } from './invited-list.tsx';

interface InvitationsProps {
  readonly draft: SharingDraft;
  readonly typed: TypedEmails;
  /** False where the plan allows no more. */
  readonly canExtend: boolean;
}

/** The list of invited addresses, and where more are typed. */
export function Invitations({ draft, typed, canExtend }: InvitationsProps) {
  const field = useRef<HTMLInputElement>(null);
  const enter = (text: string) => {
    const { added } = typed.enter(text);
    if (added.length > 0) announce(describeAddedEmails(added.length));
    field.current?.focus();
  };
  const remove = (email: string) => {
    draft.remove(email);
    announce(describeRemovedEmail(email));
  };
  return (
    <>
      {canExtend ? (
        <EmailEntry
          ref={field}
          text={typed.text}
          error={typed.error}
          count={draft.emails.length}
          onText={typed.setText}
          onEnter={enter}
        />
      ) : null}
      <InvitedList
        fresh={draft.fresh}
        kept={draft.kept}
        onRemove={remove}
        onEmptied={() => field.current?.focus()}
      />
      {draft.fresh.length > 0 ? (
        <p className="text-sm text-ink-soft">{describeInvitations(draft.fresh.length)}</p>
      ) : null}
    </>
  );
}
