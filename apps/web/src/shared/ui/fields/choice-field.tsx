import { ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { fieldControlClassName } from './field-control.ts';
import { FieldFrame } from './field-frame.tsx';

interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Its options. */
  readonly children: ReactNode;
}

/** One of a few. The browser's own select: on phones it is the picker people know. */
export function ChoiceField({ label, value, onChange, children }: ChoiceFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label}>
      <div className="relative">
        {/* A select counts as read-only to CSS; it must not look so. */}
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${fieldControlClassName} h-10 appearance-none truncate bg-surface! pr-9 text-ink! pointer-coarse:h-11`}
        >
          {children}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint"
        />
      </div>
    </FieldFrame>
  );
}
