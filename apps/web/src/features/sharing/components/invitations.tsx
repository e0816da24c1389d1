import { X } from 'lucide-react';
import { useRef } from 'react';
import { announce } from '../../../shared/lib/browser/announce.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import {
  describeAddedEmails,
  describeInvitations,
  describeRemovedEmail,
  SHARING_DIALOG_MESSAGES,
} from '../model/sharing-dialog-messages.ts';
import type { SharingDraft } from '../model/use-sharing-draft.ts';
import type { TypedEmails } from '../model/use-typed-emails.ts';
import { EmailChipsField } from './email-chips-field.tsx';

interface InvitationsProps {
  readonly draft: SharingDraft;
  readonly typed: TypedEmails;
  /** False where the plan allows no more. */
  readonly canExtend: boolean;
  readonly saving: boolean;
}

/** Where addresses are typed, the button that says how many mails go out, and who was invited before. */
export function Invitations({ draft, typed, canExtend, saving }: InvitationsProps) {
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
        <div className="flex flex-col gap-2">
          <EmailChipsField
            ref={field}
            typed={typed}
            fresh={draft.fresh}
            count={draft.emails.length}
            onEnter={enter}
            onRemove={remove}
          />
          <Button
            className="self-end"
            busy={saving}
            disabled={typed.invited === 0}
            // Not a submit button: the first one of a form is the one that Enter presses anywhere in it, disabled or not.
            onClick={({ currentTarget }) => currentTarget.form?.requestSubmit()}
          >
            {describeInvitations(typed.invited)}
          </Button>
        </div>
      ) : null}
      <InvitedList emails={draft.kept} onRemove={remove} onEmptied={() => field.current?.focus()} />
    </>
  );
}

interface InvitedListProps {
  readonly emails: readonly string[];
  readonly onRemove: (email: string) => void;
  /** The last address went: the keyboard has to go somewhere. */
  readonly onEmptied: () => void;
}

/** Who was invited before. */
function InvitedList({ emails, onRemove, onEmptied }: InvitedListProps) {
  const list = useRef<HTMLUListElement>(null);
  if (emails.length === 0) return null;
  const remove = (email: string) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = emails.indexOf(email);
    const next = buttons[at + 1] ?? buttons[at - 1];
    if (next) next.focus();
    else onEmptied();
    onRemove(email);
  };
  return (
    <ul
      ref={list}
      aria-label={SHARING_DIALOG_MESSAGES.listLabel}
      className="flex max-h-60 flex-col divide-y divide-line overflow-y-auto overscroll-contain rounded border border-edge-soft"
    >
      {emails.map((email) => (
        <li key={email} className="flex min-h-9 shrink-0 items-center gap-2 pr-1 pl-3 pointer-coarse:h-11">
          <span className="min-w-0 flex-1 truncate text-base text-ink" title={email}>
            {email}
          </span>
          <IconButton label={`Remover ${email}`} title="Remover" onClick={() => remove(email)}>
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
