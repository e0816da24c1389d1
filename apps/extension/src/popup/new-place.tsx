import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { countCharacters } from '@linkoteca/domain/text';
import { useState } from 'react';
import { createPlace, type Place } from '../library/library.ts';
import type { Connection } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';
import { Button } from '../shared/button.tsx';
import { TextField } from '../shared/fields.tsx';
import { translate } from '../shared/translate.ts';

interface NewPlaceProps {
  readonly connection: Connection;
  /** In whose folder it is made. */
  readonly beside: Place;
  readonly onCreated: (place: Place) => void;
  readonly onCancel: () => void;
}

/** Makes a category while a link is being put somewhere. What was typed stays where it is refused. */
export function NewPlace({ connection, beside, onCreated, onCancel }: NewPlaceProps) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const create = async () => {
    if (busy) return;
    const wanted = name.trim();
    if (wanted === '') return setFault(translate('nameMissing'));
    if (countCharacters(wanted) > FIELD_LIMITS.categoryName) return setFault(translate('nameLong'));
    setBusy(true);
    try {
      const { userId } = connection.session;
      onCreated(await createPlace(openDatabase(connection), userId, wanted, beside));
    } catch (error) {
      setFault(describeFault(error));
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <TextField
        label={translate('newCategoryName')}
        hint={translate('newCategoryIn', beside.folder)}
        fault={fault}
        value={name}
        autoFocus
        onChange={({ target }) => {
          setName(target.value);
          setFault(undefined);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onCancel}>
          {translate('cancel')}
        </Button>
        <Button look="primary" type="submit" disabled={busy}>
          {translate('create')}
        </Button>
      </div>
    </form>
  );
}

function describeFault(error: unknown): string {
  const refusal = readRefusal(error);
  if (refusal.kind === 'category_limit') return translate('noMoreCategories', refusal.max);
  return translate(refusal.kind === 'name_taken' ? 'nameTaken' : 'notCreated');
}
