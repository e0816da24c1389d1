import { Merge, Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { RenameField } from '../../../shared/ui/fields/rename-field.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { describeJoin, describeRename, TRANSFER_MESSAGES } from '../model/transfer-messages.ts';

interface ImportRowProps {
  readonly name: string;
  readonly size?: string;
  readonly checked: boolean;
  /** The keyboard goes on here. */
  readonly focused?: boolean;
  readonly busy?: boolean;
  /** Name of the field in which it is renamed. */
  readonly field?: string;
  readonly onToggle: () => void;
  /** @returns false where the name was not taken, and the person was told. */
  readonly onRename?: (typed: string) => Promise<boolean>;
  readonly onJoin?: (() => void) | undefined;
}

/** A folder or a category of a file: to take or to leave, and where it is taken, to rename (F2 too) or to join. */
export function ImportRow(props: ImportRowProps) {
  const { name, size, checked, focused, busy, field, onToggle, onRename, onJoin } = props;
  const id = useId();
  const tick = useRef<HTMLInputElement>(null);
  const [renaming, setRenaming] = useState(false);
  useEffect(() => {
    if (focused) tick.current?.focus();
  }, [focused]);
  const changeable = checked && onRename !== undefined;
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'F2' || !changeable || busy) return;
    event.preventDefault();
    setRenaming(true);
  };
  const end = (refocus: boolean) => {
    setRenaming(false);
    if (refocus) tick.current?.focus();
  };
  return (
    <div className="flex min-h-11 items-center pr-1 pl-3">
      <input
        ref={tick}
        id={id}
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        aria-label={renaming ? name : undefined}
        aria-keyshortcuts={changeable ? 'F2' : undefined}
        checked={checked}
        onChange={onToggle}
        onKeyDown={press}
      />
      {renaming && onRename && field ? (
        <div className="flex min-w-0 flex-1 px-2.5">
          <RenameField name={name} label={field} onSave={onRename} onEnd={end} />
        </div>
      ) : (
        <label
          htmlFor={id}
          className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center gap-2.5 px-2.5 py-2"
        >
          {/* In full: names that were cut differ at their ends. */}
          <span className="min-w-0 flex-1 text-base wrap-anywhere">{name}</span>
          {size ? <span className="shrink-0 text-sm text-ink-soft">{size}</span> : null}
        </label>
      )}
      {changeable && !renaming ? (
        <IconButton
          label={describeRename(name)}
          title={TRANSFER_MESSAGES.import.rename}
          disabled={busy}
          onClick={() => setRenaming(true)}
        >
          <Pencil aria-hidden />
        </IconButton>
      ) : null}
      {changeable && !renaming && onJoin ? (
        <IconButton
          label={describeJoin(name)}
          title={TRANSFER_MESSAGES.import.join}
          disabled={busy}
          onClick={onJoin}
        >
          <Merge aria-hidden />
        </IconButton>
      ) : null}
    </div>
  );
}
