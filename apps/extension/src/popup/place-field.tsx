import { useState } from 'react';
import type { Place } from '../library/library.ts';
import type { Connection } from '../session/session-store.ts';
import { SelectField } from '../shared/fields.tsx';
import { translate } from '../shared/translate.ts';
import { NewPlace } from './new-place.tsx';

interface PlaceFieldProps {
  readonly connection: Connection;
  readonly places: readonly Place[];
  /** Empty: the inbox, which may not be there yet. */
  readonly value: string;
  /** While the link is on its way to another place. */
  readonly isDisabled?: boolean;
  /** @param created where the category has just been made. */
  readonly onChange: (categoryId: string, created?: Place) => void;
}

/** No category has such an id. */
const NEW = 'new';

/** Chooses one of the categories, under their folders, or a new one. The browser's own list: letters find an entry in it. */
export function PlaceField({ connection, places, value, isDisabled = false, onChange }: PlaceFieldProps) {
  const [isNew, setNew] = useState(false);
  const folders = Map.groupBy(places, ({ folderId }) => folderId);
  const beside = places.find(({ id }) => id === value) ?? places[0];
  return (
    <>
      <SelectField
        label={translate('category')}
        value={isNew ? NEW : value}
        disabled={isDisabled}
        onChange={({ target }) => {
          setNew(target.value === NEW);
          if (target.value !== NEW) onChange(target.value);
        }}
      >
        {value === '' && !places.some(({ isInbox }) => isInbox) ? (
          <option value="">{translate('inbox')}</option>
        ) : null}
        {[...folders].map(([folderId, categories]) => (
          <optgroup key={folderId} label={categories[0]?.folder}>
            {categories.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
        {beside ? <option value={NEW}>{translate('newCategory')}</option> : null}
      </SelectField>
      {isNew && beside ? (
        <NewPlace
          connection={connection}
          beside={beside}
          onCreated={(place) => {
            setNew(false);
            onChange(place.id, place);
          }}
          onCancel={() => setNew(false)}
        />
      ) : null}
    </>
  );
}
