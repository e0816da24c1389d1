import type { SharingMode } from '@linkoteca/domain/sharing';
import { Globe, Lock, UserRound } from 'lucide-react';
import { useId } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { SHARING_DIALOG_MESSAGES, SHARING_MODE_WORDS } from '../model/sharing-dialog-messages.ts';

interface SharingModesProps {
  readonly value: SharingMode;
  /** What a plan without sharing may not choose. */
  readonly closed: (mode: SharingMode) => boolean;
  readonly onChange: (mode: SharingMode) => void;
}

const MODES = [
  { mode: 'private', Icon: UserRound },
  { mode: 'public', Icon: Globe },
  { mode: 'restricted', Icon: Lock },
] as const;

/** Nobody, whoever has the link, or people on a list: one of them, so turning one on turns the others off. */
export function SharingModes({ value, closed, onChange }: SharingModesProps) {
  const id = useId();
  return (
    <fieldset>
      <legend className="sr-only">{SHARING_DIALOG_MESSAGES.who}</legend>
      <div className="flex flex-col divide-y divide-line overflow-hidden rounded border border-edge-soft">
        {MODES.map(({ mode, Icon }) => (
          <label
            key={mode}
            className={joinClassNames(
              'flex min-h-11 cursor-pointer items-center gap-3 px-3.5 py-2.5 transition-colors hover:bg-hover has-checked:bg-accent-soft',
              closed(mode) && 'opacity-50',
            )}
          >
            <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
            <span className="min-w-0 flex-1">
              <span className="block text-base font-medium text-ink">{SHARING_MODE_WORDS[mode].label}</span>
              <span id={`${id}-${mode}`} aria-hidden className="block text-sm text-ink-soft">
                {SHARING_MODE_WORDS[mode].hint}
              </span>
            </span>
            <input
              type="radio"
              name={id}
              value={mode}
              checked={value === mode}
              disabled={closed(mode)}
              aria-label={SHARING_MODE_WORDS[mode].label}
              aria-describedby={`${id}-${mode}`}
              className="size-4 shrink-0 accent-accent"
              onChange={() => onChange(mode)}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
