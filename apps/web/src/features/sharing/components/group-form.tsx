import { TECHNICAL_BOUNDS } from '@linkoteca/domain/limits';
import { GROUP_MESSAGES as words } from '@linkoteca/domain/messages/group-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useRef, useState } from 'react';
import { announce } from '../../../shared/lib/browser/announce.ts';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { type Group, useGroupWrites } from '../api/groups.ts';
import { describeAddedEmails, describeRemovedEmail } from '../model/sharing-dialog-messages.ts';
import { describeGroupRefusal } from '../model/use-folder-group-acts.ts';
import { useTypedEmails } from '../model/use-typed-emails.ts';
import { EmailChipsField } from './email-chips-field.tsx';

const NONE: readonly string[] = [];
const MAX = TECHNICAL_BOUNDS.group_emails;

interface GroupFormProps {
  readonly open: boolean;
  /** The one to be changed; null makes another. */
  readonly group: Group | null;
  readonly onClose: () => void;
}

/** Name and addresses of a group; many addresses are pasted at once. */
export function GroupForm({ open, group, onClose }: GroupFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [id] = useState(() => group?.id ?? crypto.randomUUID());
  const [name, setName] = useState(group?.name ?? '');
  const [fault, setFault] = useState<string>();
  const before = group?.emails ?? NONE;
  const [emails, setEmails] = useState(before);
  const draft = {
    fresh: emails,
    emails,
    add: (added: readonly string[]) => setEmails((last) => [...last, ...added]),
  };
  const typed = useTypedEmails(draft, usePerson()?.email ?? '', { ownEmail: words.ownEmail, max: MAX });
  const { save } = useGroupWrites();
  const isChanged = emails.length !== before.length || emails.some((email) => !before.includes(email));

  const submit = async () => {
    const last = typed.pending ? typed.enter(typed.text) : null;
    const title = name.trim();
    const wrong = title === '' ? words.nameMissing : [...title].length > 100 ? words.nameLong : undefined;
    setFault(wrong);
    if (wrong || (last && !last.complete)) return;
    const now = [...emails, ...(last?.added ?? NONE)];
    const change = {
      added: now.filter((email) => !before.includes(email)),
      removed: before.filter((email) => !now.includes(email)),
    };
    try {
      await save.mutateAsync({ id, name: title, ...change });
      toast.success(words.saved);
      onClose();
    } catch (error) {
      if (readRefusal(error).kind === 'name_taken') setFault(words.nameTaken);
      else toast.error(words.saveFailed, describeGroupRefusal(error));
    }
  };

  return (
    <FormDialog
      open={open}
      width="wide"
      title={group === null ? words.create : words.edit}
      dirty={name !== (group?.name ?? '') || isChanged || typed.pending}
      saving={save.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words.name}
        placeholder={words.namePlaceholder}
        autoComplete="off"
        value={name}
        error={fault}
        onChange={({ target }) => setName(target.value)}
      />
      <EmailChipsField
        ref={field}
        label={words.people}
        typed={typed}
        fresh={emails}
        count={emails.length}
        max={MAX}
        onEnter={(text) => {
          const { added } = typed.enter(text);
          if (added.length > 0) announce(describeAddedEmails(added.length));
          field.current?.focus();
        }}
        onRemove={(email) => {
          setEmails((last) => last.filter((each) => each !== email));
          announce(describeRemovedEmail(email));
        }}
      />
    </FormDialog>
  );
}
