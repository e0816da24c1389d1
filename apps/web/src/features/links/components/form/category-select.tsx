import { ChevronsUpDown } from 'lucide-react';
import type { Ref, SelectHTMLAttributes } from 'react';
import { useId } from 'react';
import { describedByOf, fieldControlClassName } from '../../../../shared/ui/fields/field-control.ts';
import { FieldFrame } from '../../../../shared/ui/fields/field-frame.tsx';

/** The categories of one folder, to choose from. */
export interface CategoryGroup {
  readonly folderName: string;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}

interface CategorySelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly groups: readonly CategoryGroup[];
  readonly error?: string | undefined;
  readonly hint?: string | null;
  readonly ref?: Ref<HTMLSelectElement>;
}

/** The category of a link, grouped by folder. The browser's own select: on phones it is the picker people know. */
export function CategorySelect({ groups, error, hint, ...rest }: CategorySelectProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label="Categoria" error={error} hint={hint}>
      <div className="relative">
        {/* A select counts as read-only to CSS; it must not look so. */}
        <select
          {...rest}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedByOf(id, error, hint)}
          className={`${fieldControlClassName} h-10 appearance-none truncate bg-surface! pr-9 text-ink! pointer-coarse:h-11`}
        >
          <option value="" disabled>
            Selecione uma categoria
          </option>
          {groups.map((group) => (
            <optgroup key={group.folderName} label={group.folderName} className="bg-surface">
              {group.categories.map((category) => (
                <option key={category.id} value={category.id}>
                  {category.name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint"
        />
      </div>
    </FieldFrame>
  );
}
