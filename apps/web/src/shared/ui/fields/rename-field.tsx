import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

interface RenameFieldProps {
  /** What it is called now. */
  readonly name: string;
  /** Name of the field: 'Nome da Pasta'. */
  readonly label: string;
  /** False when it could not be saved, and the person has been told: the field stays as it is. */
  readonly onSave: (name: string) => Promise<boolean>;
  /** The row shows its name again. @param refocus the keyboard goes on from the row. */
  readonly onEnd: (refocus: boolean) => void;
}

/** Far longer than any name: what is too long is told or shortened by what saves it, and not cut by the field, which counts emoji twice. */
const TYPED = 500;

/** A row's name while it is being changed: Enter and leaving save, Esc leaves everything as it was. */
export function RenameField({ name, label, onSave, onEnd }: RenameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(name);
  const [refused, setRefused] = useState(false);
  const [saving, setSaving] = useState(false);
  const over = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const end = (refocus: boolean) => {
    over.current = true;
    onEnd(refocus);
  };
  const save = async (refocus: boolean) => {
    if (over.current || saving) return;
    const wanted = text.trim();
    if (wanted === '' || wanted === name) return end(refocus);
    setSaving(true);
    const saved = await onSave(wanted);
    setSaving(false);
    if (saved) return end(refocus);
    setRefused(true);
    field.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    // None of them is the tree's.
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      void save(true);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      end(true);
    }
  };
  return (
    <input
      ref={field}
      type="text"
      aria-label={label}
      data-keeps-focus
      aria-invalid={refused || undefined}
      aria-busy={saving || undefined}
      autoComplete="off"
      maxLength={TYPED}
      readOnly={saving}
      value={text}
      className="relative z-1 -mx-1 h-6 min-w-0 flex-1 rounded-sm border border-edge bg-surface px-1 text-base text-ink select-text focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-invalid:border-danger aria-invalid:focus-visible:outline-danger pointer-coarse:h-9 pointer-coarse:text-lg"
      onChange={(event) => {
        setText(event.target.value);
        setRefused(false);
      }}
      onBlur={() => void save(false)}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={press}
    />
  );
}
