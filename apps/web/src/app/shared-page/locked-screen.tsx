import { PAGE_PASSWORD_MESSAGES as words } from '@linkoteca/domain/messages/page-password-messages';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useUnlockPage } from '../../features/sharing/api/unlock-page.ts';
import { usePageRecord } from '../../features/sharing/model/use-page-record.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { describeRefusal } from '../../shared/lib/describe-refusal.ts';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { PasswordField } from '../../shared/ui/fields/password-field.tsx';

/** A public page that asks for its password, and says nothing else of itself. */
export function LockedScreen({ categoryId }: { readonly categoryId: string }) {
  const unlock = useUnlockPage(categoryId);
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | undefined>();
  useDocumentTitle(words.title);
  usePageRecord(null);

  const open = async (): Promise<string | undefined> => {
    if (password === '') return words.missing;
    try {
      return (await unlock.mutateAsync(password)) ? undefined : words.wrong;
    } catch (reason) {
      return describeRefusal(reason, words.failed);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (unlock.isPending) return;
    const refusal = await open();
    setError(refusal);
    if (refusal !== undefined) field.current?.select();
  };
  return (
    <EmptyState
      heading={1}
      icon={<KeyRound aria-hidden />}
      title={words.title}
      description={words.description}
      action={
        <form
          noValidate
          className="flex w-72 max-w-full flex-col gap-3 text-left"
          onSubmit={(event) => void submit(event)}
        >
          <PasswordField
            ref={field}
            autoFocus
            label={words.field}
            // What a password manager fills in here would be the account's own.
            autoComplete="new-password"
            maxLength={72}
            value={password}
            error={error}
            onChange={({ target }) => {
              setPassword(target.value);
              setError(undefined);
            }}
          />
          <Button type="submit" variant="primary" size="large" busy={unlock.isPending}>
            {words.open}
          </Button>
        </form>
      }
    />
  );
}
