import { pickEmoji } from '@linkoteca/domain/emoji';
import { FOLDER_COLORS } from '@linkoteca/domain/folder-look';
import { COLOR_NAMES } from '@linkoteca/domain/messages/color-messages';
import { Check } from 'lucide-react';
import { type ChangeEvent, useId, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { fieldControlClassName } from '../../../shared/ui/fields/field-control.ts';
import { FieldFrame } from '../../../shared/ui/fields/field-frame.tsx';
import { folderColor } from '../../../shared/ui/folder-spine.tsx';
import { AUTOMATIC, SUGGESTED_EMOJI, FOLDER_LOOK_MESSAGES as words } from '../model/folder-form.ts';

const COLORS = [AUTOMATIC, ...FOLDER_COLORS] as const;

/** 32 px under a pointer, 44 px under a thumb and on narrow screens. */
const targetClassName = 'h-8 pointer-coarse:h-11 max-md:h-11';

interface ColorFieldProps {
  /** Its own hue stands for 'Automática'. */
  readonly folderId: string;
  readonly value: string;
  readonly onChange: (color: string) => void;
}

/** 'Cor': the colours as one radio group, so that the arrows walk from one to the next. */
export function ColorField({ folderId, value, onChange }: ColorFieldProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium text-ink">{words.color}</legend>
      <div className="-ml-1.5 grid grid-cols-[repeat(auto-fill,2rem)] pointer-coarse:grid-cols-[repeat(auto-fill,2.75rem)] max-md:grid-cols-[repeat(auto-fill,2.75rem)]">
        {COLORS.map((color) => (
          <label
            key={color}
            title={color === AUTOMATIC ? undefined : COLOR_NAMES[color]}
            className={joinClassNames(
              'relative grid place-items-center',
              targetClassName,
              color === AUTOMATIC && 'col-span-4 pr-2 pl-1.5 pointer-coarse:col-span-3 max-md:col-span-3',
            )}
          >
            <input
              type="radio"
              name={name}
              value={color}
              checked={color === value}
              onChange={() => onChange(color)}
              className="peer absolute inset-0 cursor-pointer opacity-0"
              aria-label={color === AUTOMATIC ? words.automatic : COLOR_NAMES[color]}
            />
            {color === AUTOMATIC ? (
              <span className="flex h-7 w-full items-center justify-center gap-1.5 rounded border border-edge-soft text-sm text-ink-soft outline-offset-2 peer-checked:border-ink peer-checked:text-ink peer-focus-visible:outline-2 peer-focus-visible:outline-accent">
                <span className="h-4 w-1 rounded-full" style={{ background: folderColor(folderId, null) }} />
                {words.automatic}
              </span>
            ) : (
              <span
                className="grid size-5 place-items-center rounded-full text-surface outline-offset-2 outline-ink peer-checked:outline-2 peer-focus-visible:outline-2 peer-focus-visible:outline-accent"
                style={{ background: folderColor(folderId, color) }}
              >
                {color === value ? <Check aria-hidden strokeWidth={3} className="size-3" /> : null}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface EmojiFieldProps {
  readonly value: string;
  readonly onChange: (emoji: string) => void;
}

/** 'Emoji': a field for one, and a few to press. What is typed last takes the place of what was there. */
export function EmojiField({ value, onChange }: EmojiFieldProps) {
  const id = useId();
  const [refused, setRefused] = useState(false);
  const choose = (emoji: string) => {
    setRefused(false);
    onChange(emoji);
  };
  const type = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const typed = target.value.trim();
    const emoji = pickEmoji(typed);
    // A letter beside an emoji is a slip; a letter alone is a question.
    if (emoji !== null || typed === '') choose(emoji ?? '');
    else setRefused(true);
  };
  return (
    <FieldFrame id={id} label={words.emoji} error={refused ? words.notAnEmoji : undefined}>
      <div className="flex items-center gap-2">
        <input
          id={id}
          type="text"
          value={value}
          onChange={type}
          onBlur={() => setRefused(false)}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={refused ? true : undefined}
          className={joinClassNames(
            fieldControlClassName,
            'h-10 w-14! shrink-0 text-center text-lg pointer-coarse:h-11',
          )}
        />
        <span className="flex flex-wrap">
          {SUGGESTED_EMOJI.map(([emoji, name]) => (
            <button
              key={emoji}
              type="button"
              title={name}
              aria-label={`${name} ${emoji}`}
              aria-pressed={emoji === value}
              onClick={() => choose(emoji === value ? '' : emoji)}
              className={joinClassNames(
                'grid aspect-square place-items-center rounded text-lg transition-colors hover:bg-hover aria-pressed:bg-press',
                targetClassName,
              )}
            >
              {emoji}
            </button>
          ))}
        </span>
      </div>
    </FieldFrame>
  );
}
