import { MAX_INVITED } from '@linkoteca/domain/sharing';
import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type Ref, useRef } from 'react';
import { announce } from '../../../shared/lib/browser/announce.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { endsAddress } from '../model/read-emails.ts';
import {
  describeAddedEmails,
  describeInvitations,
  describeRemovedEmail,
  SHARING_DIALOG_MESSAGES,
} from '../model/sharing-dialog-messages.ts';
import type { SharingDraft } from '../model/use-sharing-draft.ts';
import type { TypedEmails } from '../model/use-typed-emails.ts';

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

interface InvitedListProps {
  readonly fresh: readonly string[];
  readonly kept: readonly string[];
  readonly onRemove: (email: string) => void;
  /** The last address went: the keyboard has to go somewhere. */
  readonly onEmptied: () => void;
}

/** Who is on the list: new ones on top, where one sees them come. */
function InvitedList({ fresh, kept, onRemove, onEmptied }: InvitedListProps) {
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

interface EmailEntryProps {
  readonly text: string;
  readonly error: string | null;
  /** Addresses on the list. */
  readonly count: number;
  readonly onText: (text: string) => void;
  /** Puts what is in `text` on the list. */
  readonly onEnter: (text: string) => void;
  readonly ref: Ref<HTMLInputElement>;
}

/** Where addresses are typed or pasted. Enter and a comma add; in an empty field Enter does nothing: one too many must not send. */
function EmailEntry({ text, error, count, onText, onEnter, ref }: EmailEntryProps) {
  const press = (event: KeyboardEvent) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
    if (event.key !== 'Enter' || !plain) return;
    event.preventDefault();
    if (text.trim() !== '') onEnter(text);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    // One address is put where the cursor is; a list, which a field of one line would run together, is read at once.
    if (!/[\s,;]/.test(pasted.trim())) return;
    event.preventDefault();
    onEnter(`${text} ${pasted}`);
  };
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          ref={ref}
          label={SHARING_DIALOG_MESSAGES.emailField}
          placeholder={SHARING_DIALOG_MESSAGES.emailPlaceholder}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          value={text}
          error={error ?? undefined}
          hint={error ? undefined : SHARING_DIALOG_MESSAGES.emailHint}
          aside={
            <span className="text-sm text-ink-faint tabular-nums">
              {count}/{MAX_INVITED}
            </span>
          }
          onChange={({ target: { value } }) => (endsAddress(value) ? onEnter(value) : onText(value))}
          onKeyDown={press}
          onPaste={paste}
        />
      </div>
      <Button size="large" className="mt-6" disabled={text.trim() === ''} onClick={() => onEnter(text)}>
        {SHARING_DIALOG_MESSAGES.add}
      </Button>
    </div>
  );
}
