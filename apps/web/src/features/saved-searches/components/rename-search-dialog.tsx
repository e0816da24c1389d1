import { type FormEvent, useState } from 'react';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { SAVED_SEARCH_MESSAGES as TEXT } from '../model/saved-search-messages.ts';
import { SAVED_SEARCH_LIMITS, type SavedSearch } from '../model/saved-search-rows.ts';

interface RenameSearchDialogProps {
  readonly open: boolean;
  readonly search: SavedSearch;
  /** @returns whether it could be saved; what could not has been told. */
  readonly onRename: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Another name for a saved search. Mount it anew (by key) for each opening. */
export function RenameSearchDialog({ open, search, onRename, onClose }: RenameSearchDialogProps) {
  const [name, setName] = useState(search.name);
  const [fault, setFault] = useState<string>();
  const [saving, setSaving] = useState(false);
  const wanted = name.trim();
  const save = async ({ currentTarget }: FormEvent) => {
    const found = findFault(wanted);
    setFault(found);
    if (found !== undefined) {
      currentTarget.querySelector('input')?.focus();
      return;
    }
    if (wanted === search.name) return onClose();
    setSaving(true);
    const saved = await onRename(wanted);
    setSaving(false);
    if (saved) onClose();
  };
  return (
    <FormDialog
      open={open}
      title={TEXT.renameTitle}
      description={search.question === search.name ? undefined : search.question}
      dirty={wanted !== search.name}
      saving={saving}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        label={TEXT.nameLabel}
        value={name}
        error={fault}
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function findFault(name: string): string | undefined {
  if (name === '') return TEXT.nameMissing;
  return [...name].length > SAVED_SEARCH_LIMITS.name ? TEXT.nameTooLong : undefined;
}
