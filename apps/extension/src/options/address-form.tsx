import { type FormEvent, useState } from 'react';
import { loadInstallation, NoInstallation, permissionOf, readOrigin } from '../session/installation.ts';
import type { Installation } from '../session/session-store.ts';
import { Button } from '../shared/button.tsx';
import { TextField } from '../shared/fields.tsx';
import { askPermission } from '../shared/permissions.ts';
import { translate } from '../shared/translate.ts';

/** Asks where the person's Linkoteca is, and the browser for the right to go there. */
export function AddressForm({ onFound }: { readonly onFound: (installation: Installation) => void }) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const find = async (origin: string) => {
    const { host } = new URL(origin);
    // The first thing after the press: later the browser takes it for nobody's wish.
    if (!(await askPermission(permissionOf(origin)))) return translate('addressRefused', host);
    try {
      onFound(await loadInstallation(origin));
      return undefined;
    } catch (error) {
      return translate(error instanceof NoInstallation ? 'addressNone' : 'addressAway', host);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const origin = readOrigin(typed);
    if (origin === null) return setFault(translate('addressWrong'));
    setBusy(true);
    setFault(await find(origin));
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label={translate('address')}
        hint={translate('addressHint')}
        fault={fault}
        value={typed}
        inputMode="url"
        autoComplete="url"
        spellCheck={false}
        // The page was opened for this field.
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
      />
      <div>
        <Button look="primary" type="submit" disabled={isBusy}>
          {translate('continue')}
        </Button>
      </div>
    </form>
  );
}
