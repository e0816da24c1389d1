import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useId } from 'react';
import { joinClassNames } from '../lib/join-class-names.ts';
import { describedByOf, fieldControlClassName } from './field-control.ts';
import { FieldFrame } from './field-frame.tsx';
import { popupClassName } from './floating-class-names.ts';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps {
  readonly label: string;
  readonly options: readonly SelectOption[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly disabled?: boolean;
}

/** One choice of a list. Long lists scroll; typing jumps to the option. */
export function SelectField({
  label,
  options,
  value,
  onChange,
  placeholder = 'Selecione',
  error,
  hint,
  disabled = false,
}: SelectFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <Base.Root
        items={[...options]}
        value={value}
        disabled={disabled}
        onValueChange={(next) => (next === null ? undefined : onChange(next))}
      >
        <Base.Trigger
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedByOf(id, error, hint)}
          className={joinClassNames(
            fieldControlClassName,
            'flex h-10 items-center justify-between gap-2 text-left pointer-coarse:h-11',
          )}
        >
          <Base.Value placeholder={placeholder} className="truncate data-placeholder:text-ink-faint" />
          <Base.Icon className="text-ink-faint [&_svg]:size-4">
            <ChevronsUpDown aria-hidden />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal role="region" aria-label="Opções">
          <Base.Positioner
            alignItemWithTrigger={false}
            sideOffset={4}
            collisionPadding={8}
            className="outline-none"
          >
            <Base.Popup
              className={`${popupClassName} max-h-[min(20rem,var(--available-height))] w-(--anchor-width) overflow-y-auto p-1`}
            >
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="flex h-8 cursor-default items-center gap-2 rounded-sm px-2 text-base outline-none select-none data-highlighted:bg-hover pointer-coarse:h-11"
                >
                  <Base.ItemText className="flex-1 truncate">{option.label}</Base.ItemText>
                  <Base.ItemIndicator className="text-accent-text [&_svg]:size-4">
                    <Check aria-hidden />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </FieldFrame>
  );
}
