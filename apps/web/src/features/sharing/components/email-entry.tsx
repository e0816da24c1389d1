import { SHARING_DIALOG_MESSAGES } from '@linkoteca/domain/sharing-dialog-messages';
import { MAX_INVITED } from '@linkoteca/domain/sharing-mode';
import type { ClipboardEvent, KeyboardEvent, Ref } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { TextField } from '../../../shared/ui/text-field.tsx';
import { endsAddress } from '../model/read-emails.ts';

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

/** Where addresses are typed or pasted. Enter and a comma add; an empty field leaves Enter to the form. */
export function EmailEntry({ text, error, count, onText, onEnter, ref }: EmailEntryProps) {
  const press = (event: KeyboardEvent) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
    if (event.key !== 'Enter' || !plain || text.trim() === '') return;
    event.preventDefault();
    onEnter(text);
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
