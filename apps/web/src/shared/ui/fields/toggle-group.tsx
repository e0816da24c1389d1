import type { ReactNode } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';

interface ToggleOption<Value extends string> {
  readonly value: Value;
  /** Read aloud and shown as the native tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
}

interface ToggleGroupProps<Value extends string> {
  readonly label: string;
  readonly options: readonly ToggleOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A few icon buttons of which one is pressed: grid or list. */
export function ToggleGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
}: ToggleGroupProps<Value>) {
  return (
    <fieldset className="inline-flex rounded border border-edge-soft bg-surface p-0.5" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          title={option.label}
          aria-label={option.label}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={joinClassNames(
            'hit-area grid h-6.5 w-8 place-items-center rounded-sm transition-colors pointer-coarse:h-10 pointer-coarse:w-11 [&_svg]:size-4',
            option.value === value ? 'bg-press text-ink' : 'text-ink-faint hover:text-ink',
          )}
        >
          {option.icon}
        </button>
      ))}
    </fieldset>
  );
}
