import type { PasskeyListItem } from '@supabase/auth-js';
import { KeyRound } from 'lucide-react';
import { Suspense, useId, useRef, useState } from 'react';
import { lazyPart } from '../../../../shared/lib/browser/lazy-part.tsx';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { canAskSecurityKey } from '../../../../shared/lib/session/ask-security-key.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/dialogs/confirm-dialog.tsx';
import { LoadError } from '../../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { usePasskeys, useRemovePasskey } from '../../api/passkeys.ts';
import { PASSKEY_MESSAGES as TEXT } from '../../model/passkey-messages.ts';

const AddPasskeyDialog = lazyPart(
  () => import('./add-passkey-dialog.tsx'),
  (module) => module.AddPasskeyDialog,
);
const RenamePasskeyDialog = lazyPart(
  () => import('./rename-passkey-dialog.tsx'),
  (module) => module.RenamePasskeyDialog,
);

/** The keys that sign in without a password, and how to have one. */
export function PasskeysPanel({ email }: { readonly email: string }) {
  const passkeys = usePasskeys();
  return (
    <section aria-labelledby="passkeys" className="mt-8 flex flex-col gap-3">
      <div>
        <h2 id="passkeys" tabIndex={-1} className="text-lg font-semibold text-ink outline-none">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.lead}</p>
      </div>
      {passkeys.data ? (
        <Passkeys passkeys={passkeys.data} email={email} />
      ) : passkeys.isError ? (
        <LoadError
          title={TEXT.loadFailed}
          description={TEXT.loadFailedWhy}
          onRetry={() => void passkeys.refetch()}
        />
      ) : (
        <div aria-busy="true">
          <Skeleton className="h-10 w-full" />
        </div>
      )}
    </section>
  );
}

interface PasskeysProps {
  readonly passkeys: readonly PasskeyListItem[];
  readonly email: string;
}

function Passkeys({ passkeys, email }: PasskeysProps) {
  const remove = useRemovePasskey();
  const [adding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<PasskeyListItem | null>(null);
  const [asked, setAsked] = useState<PasskeyListItem | null>(null);
  const gone = useRef(false);
  const ask = (passkey: PasskeyListItem) => {
    gone.current = false;
    setAsked(passkey);
  };
  const confirm = async () => {
    if (!asked) return;
    try {
      await remove.mutateAsync(asked.id);
      gone.current = true;
      setAsked(null);
      toast.success(TEXT.removed);
    } catch (error) {
      toast.error(describeError(error, TEXT.removeFailed));
    }
  };
  return (
    <>
      {passkeys.length > 0 ? (
        <ul className="border-t border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => ask(passkey)}
            />
          ))}
        </ul>
      ) : (
        <p className="text-base text-ink">{TEXT.none}</p>
      )}
      {canAskSecurityKey() ? (
        <Button className="self-start max-md:self-stretch" onClick={() => setAdding(true)}>
          <KeyRound aria-hidden className="size-4" />
          {TEXT.add}
        </Button>
      ) : null}
      <Suspense>
        {adding ? <AddPasskeyDialog email={email} onClose={() => setAdding(false)} /> : null}
        {renamed ? <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(null)} /> : null}
      </Suspense>
      <ConfirmDialog
        open={asked !== null}
        title={TEXT.removeQuestion(asked ? nameOf(asked) : '')}
        description={TEXT.removeWhy}
        confirmLabel={TEXT.remove}
        busy={remove.isPending}
        busyLabel={TEXT.removing}
        onCancel={() => setAsked(null)}
        onConfirm={() => void confirm()}
        finalFocus={() => (gone.current ? document.getElementById('passkeys') : true)}
      />
    </>
  );
}

const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short' });

interface PasskeyRowProps {
  readonly passkey: PasskeyListItem;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const nameId = useId();
  const { created_at: created, last_used_at: used } = passkey;
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="truncate text-base font-medium text-ink" title={nameOf(passkey)}>
          {nameOf(passkey)}
        </p>
        <p className="text-sm text-ink-faint">
          {TEXT.added(day.format(new Date(created)))},{' '}
          {used ? TEXT.used(`em ${day.format(new Date(used))}`) : TEXT.unused}
        </p>
      </div>
      <Button size="small" variant="quiet" aria-describedby={nameId} onClick={onRename}>
        {TEXT.rename}
      </Button>
      <Button size="small" aria-describedby={nameId} onClick={onRemove}>
        {TEXT.remove}
      </Button>
    </li>
  );
}

function nameOf({ friendly_name: name }: PasskeyListItem): string {
  return name || TEXT.unnamed;
}
