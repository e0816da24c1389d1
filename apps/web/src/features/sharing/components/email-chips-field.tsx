import { MAX_INVITED } from '@linkoteca/domain/sharing';
import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useRef } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { describedByOf } from '../../../shared/ui/fields/field-control.ts';
import { FieldFrame } from '../../../shared/ui/fields/field-frame.tsx';
import { endsAddress, isAddress, type WrongEmail } from '../model/read-emails.ts';
import { describeWrongEmail, SHARING_DIALOG_MESSAGES } from '../model/sharing-dialog-messages.ts';
import type { TypedEmails } from '../model/use-typed-emails.ts';

interface EmailChipsFieldProps {
  /** What the addresses are for, where they are not to be invited. */
  readonly label?: string;
  readonly typed: TypedEmails;
  /** Addresses that are invited with the next save. */
  readonly fresh: readonly string[];
  /** Addresses on the whole list. */
  readonly count: number;
  /** As many as there may be; null where that is not known here. */
  readonly max?: number | null;
  /** Reads what is in `text`. */
  readonly onEnter: (text: string) => void;
  readonly onRemove: (email: string) => void;
  readonly ref: RefObject<HTMLInputElement | null>;
}

/**
 * Where addresses are typed or pasted; each becomes a chip, a wrong one too, which says so. Enter, a comma, or a blank after
 * an address add; in an empty field Enter does nothing: one too many must not send.
 */
export function EmailChipsField({
  label = SHARING_DIALOG_MESSAGES.emailField,
  typed,
  fresh,
  count,
  max = MAX_INVITED,
  onEnter,
  onRemove,
  ref,
}: EmailChipsFieldProps) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const { text, wrong, error } = typed;
  const hint = error ? undefined : SHARING_DIALOG_MESSAGES.emailHint;
  const chips = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];

  const removeLast = () => {
    const last = wrong.at(-1);
    if (last) typed.removeWrong(last.text);
    else if (fresh.length > 0) onRemove(fresh.at(-1) ?? '');
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
    if (!plain) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (text.trim() !== '') onEnter(text);
    } else if (event.key === 'Backspace' && text === '' && !event.repeat) {
      // A key held down empties the field, and then stops: chips go one by one.
      removeLast();
    } else if (event.key === 'ArrowLeft' && selectionStart === 0 && selectionEnd === 0) {
      chips().at(-1)?.focus();
    }
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim();
    // Part of an address is put where the cursor is; a list, which a field of one line would run together, is read at once.
    if (!/[\s,;]/.test(pasted) && !(text === '' && isAddress(pasted))) return;
    event.preventDefault();
    onEnter(`${text} ${pasted}`);
  };
  /** Arrows walk from chip to chip and into the field; what goes leaves the keyboard on its neighbour. */
  const walk = (event: KeyboardEvent<HTMLUListElement>) => {
    const all = chips();
    const at = all.findIndex((chip) => chip.closest('li')?.contains(document.activeElement));
    const { key } = event;
    if (key === 'ArrowLeft') all[at - 1]?.focus();
    else if (key === 'ArrowRight') (all[at + 1] ?? ref.current)?.focus();
    else if (key === 'Home') all[0]?.focus();
    else if (key === 'End') ref.current?.focus();
    else if (key === 'Delete' || key === 'Backspace') all[at]?.click();
    else return;
    event.preventDefault();
  };
  const leave = (chip: HTMLElement) => {
    const all = chips();
    const at = all.indexOf(chip);
    (all[at + 1] ?? all[at - 1] ?? ref.current)?.focus();
  };

  return (
    <FieldFrame
      id={id}
      label={label}
      error={error || undefined}
      hint={hint}
      aside={
        <span className="text-sm text-ink-faint tabular-nums">
          {max === null ? count : `${count}/${max}`}
        </span>
      }
    >
      <div
        className={joinClassNames(
          'flex max-h-44 flex-wrap gap-1 overflow-y-auto overscroll-contain rounded border bg-surface p-1 transition-colors',
          'focus-within:outline-2 focus-within:-outline-offset-1',
          error
            ? 'border-danger focus-within:outline-danger'
            : 'border-edge hover:border-ink-faint focus-within:border-accent focus-within:outline-accent',
        )}
      >
        {fresh.length + wrong.length > 0 ? (
          <ul
            ref={list}
            aria-label={SHARING_DIALOG_MESSAGES.freshLabel}
            className="contents"
            onKeyDown={walk}
          >
            {fresh.map((email) => (
              <Chip
                key={email}
                text={email}
                onRemove={(chip) => {
                  leave(chip);
                  onRemove(email);
                }}
              />
            ))}
            {wrong.map((each) => (
              <Chip
                key={each.text}
                text={each.text}
                wrong={each}
                onMend={() => {
                  typed.mend(each.text);
                  ref.current?.focus();
                }}
                onRemove={(chip) => {
                  leave(chip);
                  typed.removeWrong(each.text);
                }}
              />
            ))}
          </ul>
        ) : null}
        <input
          ref={ref}
          id={id}
          placeholder={fresh.length + wrong.length > 0 ? undefined : SHARING_DIALOG_MESSAGES.emailPlaceholder}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          value={text}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedByOf(id, error || undefined, hint)}
          className="h-8 min-w-32 flex-1 bg-transparent px-2 text-base text-ink outline-none placeholder:text-ink-faint pointer-coarse:h-11 pointer-coarse:text-lg"
          onChange={({ target: { value } }) => (endsAddress(value) ? onEnter(value) : typed.setText(value))}
          onKeyDown={press}
          onPaste={paste}
        />
      </div>
    </FieldFrame>
  );
}

interface ChipProps {
  readonly text: string;
  /** What is wrong with it. */
  readonly wrong?: WrongEmail;
  /** Takes a wrong one back into the field. */
  readonly onMend?: () => void;
  /** With the button that was pressed. */
  readonly onRemove: (button: HTMLElement) => void;
}

/** One address. Its buttons are no stops of the Tab key: a hundred of them would stand before the field. */
function Chip({ text, wrong, onMend, onRemove }: ChipProps) {
  return (
    <li
      className={joinClassNames(
        'flex h-8 max-w-full min-w-0 items-center rounded-sm pl-2 text-sm pointer-coarse:h-11',
        wrong ? 'bg-danger-soft text-danger-text' : 'bg-accent-soft text-accent-text',
      )}
    >
      {wrong ? (
        <button
          type="button"
          tabIndex={-1}
          title={wrong.reason}
          aria-label={describeWrongEmail(wrong)}
          className="min-w-0 truncate underline decoration-wavy underline-offset-3"
          onClick={onMend}
        >
          {text}
        </button>
      ) : (
        <span className="min-w-0 truncate" title={text}>
          {text}
        </span>
      )}
      <button
        type="button"
        tabIndex={-1}
        data-remove
        title="Remover"
        aria-label={wrong ? `Remover ${text}: ${wrong.reason}` : `Remover ${text}`}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-sm hover:bg-hover pointer-coarse:size-11 [&_svg]:size-3.5"
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      >
        <X aria-hidden />
      </button>
    </li>
  );
}
