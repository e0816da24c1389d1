import { type FormEvent, useState } from 'react';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { ChoiceField } from '../../../shared/ui/fields/choice-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { TokenRefused, useCreateToken } from '../api/personal-tokens.ts';
import { describeScope, TOKEN_MESSAGES as TEXT, TOKEN_LIFETIMES } from '../model/program-messages.ts';

const SCOPES = ['links:read', 'links:write', 'share'] as const;
const MAX_NAME_LENGTH = 100;

/** Makes a token, and shows it once. */
export function NewTokenForm() {
  const create = useCreateToken();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(['links:read']);
  const [days, setDays] = useState<number>(90);
  const [fault, setFault] = useState<'name' | 'scopes' | null>(null);
  const [made, setMade] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const wish = { name: name.trim(), scope: scopes.join(' '), days };
    const found = findFault(wish);
    setFault(found);
    if (found !== null) return;
    try {
      setMade((await create.mutateAsync(wish)).token);
      setName('');
    } catch (error) {
      const isFull = error instanceof TokenRefused && error.code === 'too_many_personal_tokens';
      toast.error(isFull ? TEXT.tooMany : describeError(error, TEXT.createFailed));
    }
  };
  const toggle = (scope: string, isOn: boolean) =>
    setScopes((held) => SCOPES.filter((one) => (one === scope ? isOn : held.includes(one))));

  const hide = () => {
    setMade(null);
    focusHeading('tokens', document.activeElement);
  };

  if (made !== null) return <NewToken token={made} onHide={hide} />;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4 pt-2">
      <TextField
        label={TEXT.name}
        placeholder={TEXT.namePlaceholder}
        value={name}
        autoComplete="off"
        error={fault === 'name' ? (name.trim() === '' ? TEXT.nameMissing : TEXT.nameLong) : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="flex flex-col">
        <legend className="mb-2 text-base font-medium text-ink">{TEXT.may}</legend>
        {SCOPES.map((scope) => (
          <label
            key={scope}
            className="flex min-h-8 items-start gap-2.5 py-1 text-base text-ink pointer-coarse:min-h-11 pointer-coarse:py-2.5"
          >
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) => toggle(scope, event.target.checked)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            {describeScope(scope)}
          </label>
        ))}
        {fault === 'scopes' ? (
          <p role="alert" className="text-sm text-danger-text">
            {TEXT.nothing}
          </p>
        ) : null}
      </fieldset>
      <ChoiceField label={TEXT.lasts} value={String(days)} onChange={(value) => setDays(Number(value))}>
        {TOKEN_LIFETIMES.map((lifetime) => (
          <option key={lifetime.days} value={lifetime.days}>
            {lifetime.label}
          </option>
        ))}
      </ChoiceField>
      <Button
        type="submit"
        busy={create.isPending}
        busyLabel={TEXT.creating}
        className="self-start max-md:self-stretch"
      >
        {TEXT.create}
      </Button>
    </form>
  );
}

function findFault({
  name,
  scope,
}: {
  readonly name: string;
  readonly scope: string;
}): 'name' | 'scopes' | null {
  if (name === '' || [...name].length > MAX_NAME_LENGTH) return 'name';
  return scope === '' ? 'scopes' : null;
}

interface NewTokenProps {
  readonly token: string;
  readonly onHide: () => void;
}

/** The only time that a token is shown. */
function NewToken({ token, onHide }: NewTokenProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      toast.success(TEXT.copied);
    } catch {
      toast.error(TEXT.copyFailed);
    }
  };
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-accent-soft p-4">
      <p className="text-base font-medium text-accent-text">{TEXT.created}</p>
      <input
        readOnly
        // biome-ignore lint/a11y/noAutofocus: what was pressed has made room for it
        autoFocus
        aria-label={TEXT.own}
        value={token}
        onFocus={(event) => event.target.select()}
        className="h-10 w-full rounded border border-edge bg-surface px-3 font-mono text-sm text-ink"
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void copy()}>
          {TEXT.copy}
        </Button>
        <Button onClick={onHide}>{TEXT.hide}</Button>
      </div>
    </div>
  );
}
