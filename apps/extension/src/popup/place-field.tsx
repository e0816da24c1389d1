import type { Place } from '../library/library.ts';
import { SelectField } from '../shared/fields.tsx';
import { translate } from '../shared/translate.ts';

interface PlaceFieldProps {
  readonly places: readonly Place[];
  /** Empty: the inbox, which may not be there yet. */
  readonly value: string;
  readonly onChange: (categoryId: string) => void;
}

/** Chooses one of the person's categories, under their folders. The browser's own list: letters find an entry in it. */
export function PlaceField({ places, value, onChange }: PlaceFieldProps) {
  const folders = Map.groupBy(places, ({ folder }) => folder);
  return (
    <SelectField
      label={translate('category')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {value === '' && !places.some(({ isInbox }) => isInbox) ? (
        <option value="">{translate('inbox')}</option>
      ) : null}
      {[...folders].map(([folder, categories]) => (
        <optgroup key={folder} label={folder}>
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
