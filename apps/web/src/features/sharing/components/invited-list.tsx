import { SHARING_DIALOG_MESSAGES } from '@linkoteca/domain/sharing-dialog-messages';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { Badge } from '../../../shared/ui/badge.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface InvitedListProps {
  readonly fresh: readonly string[];
  readonly kept: readonly string[];
  readonly onRemove: (email: string) => void;
  /** The last address went: the keyboard has to go somewhere. */
  readonly onEmptied: () => void;
}

/** Who is on the list: new ones on top, where one sees them come. */
export function InvitedList({ fresh, kept, onRemove, onEmptied }: InvitedListProps) {
  const list = useRef<HTMLUListElement>(null);
  const emails = [...fresh, ...kept];
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
      {emails.map((email, index) => (
        <li key={email} className="flex min-h-9 shrink-0 items-center gap-2 pr-1 pl-3 pointer-coarse:h-11">
          <span className="min-w-0 flex-1 truncate text-base text-ink" title={email}>
            {email}
          </span>
          {index < fresh.length ? <Badge tone="accent">{SHARING_DIALOG_MESSAGES.newEmail}</Badge> : null}
          <IconButton label={`Remover ${email}`} title="Remover" onClick={() => remove(email)}>
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
