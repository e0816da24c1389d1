import type { FolderRole } from '@linkoteca/domain/folder-roles';
import { FOLDER_SHARING_MESSAGES as words } from '@linkoteca/domain/messages/folder-sharing-messages';
import { MAX_INVITED } from '@linkoteca/domain/sharing';
import { useRef, useState } from 'react';
import { announce } from '../../../shared/lib/browser/announce.ts';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { FolderMember } from '../api/list-folder-members.ts';
import { describeAddedEmails, describeRemovedEmail } from '../model/sharing-dialog-messages.ts';
import { useTypedEmails } from '../model/use-typed-emails.ts';
import { EmailChipsField } from './email-chips-field.tsx';
import { RoleSelect } from './role-select.tsx';

const NONE: readonly string[] = [];

interface FolderInvitationsProps {
  /** Everybody who has access. */
  readonly members: readonly FolderMember[];
  /** As many as there may be; null where that is not known. */
  readonly max: number | null;
  readonly onInvite: (emails: readonly string[], role: FolderRole) => Promise<boolean>;
}

/** Addresses, what they may do, and the button that puts them on the list. */
export function FolderInvitations({ members, max, onInvite }: FolderInvitationsProps) {
  const field = useRef<HTMLInputElement>(null);
  const [fresh, setFresh] = useState(NONE);
  const [role, setRole] = useState<FolderRole>('editor');
  const [busy, setBusy] = useState(false);
  // Who is there by a group may be invited as well, to do more.
  const listed = members.flatMap(({ email, isByGroup }) => (isByGroup ? [] : [email]));
  const left = fresh.filter((email) => !listed.includes(email));
  // Invited although the answer was lost, or by somebody else: inviting them again would refuse all.
  if (left.length < fresh.length) setFresh(left);
  const draft = {
    fresh,
    emails: [...listed, ...fresh],
    add: (emails: readonly string[]) => setFresh((last) => [...last, ...emails]),
  };
  const typed = useTypedEmails(draft, usePerson()?.email ?? '', {
    ownEmail: words.ownEmail,
    max: MAX_INVITED,
  });
  const enter = (text: string) => {
    const { added } = typed.enter(text);
    if (added.length > 0) announce(describeAddedEmails(added.length));
    field.current?.focus();
  };
  const remove = (email: string) => {
    setFresh((last) => last.filter((each) => each !== email));
    announce(describeRemovedEmail(email));
  };
  const invite = useSingleFlight(async (role: FolderRole) => {
    const last = typed.pending ? typed.enter(typed.text) : null;
    const emails = [...fresh, ...(last?.added ?? [])];
    if (emails.length === 0 || (last && !last.complete)) return;
    setBusy(true);
    const done = await onInvite(emails, role).finally(() => setBusy(false));
    if (done) setFresh(NONE);
    field.current?.focus();
  });
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void invite(role);
      }}
    >
      <EmailChipsField
        ref={field}
        typed={typed}
        fresh={fresh}
        count={new Set([...members.map(({ email }) => email), ...fresh]).size}
        max={max}
        onEnter={enter}
        onRemove={remove}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <RoleSelect label={words.roleField} value={role} className="max-w-44" onChange={setRole} />
        <Button type="submit" variant="primary" busy={busy} disabled={typed.invited === 0}>
          {words.invite}
        </Button>
      </div>
    </form>
  );
}
