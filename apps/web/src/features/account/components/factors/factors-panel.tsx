import type { Factor } from '@supabase/auth-js';
import { ShieldCheck, Smartphone } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { lazyPart } from '../../../../shared/lib/browser/lazy-part.tsx';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/dialogs/confirm-dialog.tsx';
import { LoadError } from '../../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { useFactors, useRemoveFactor } from '../../api/factors.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useMakeCodes } from './use-make-codes.ts';

const AddAppDialog = lazyPart(
  () => import('./add-app-dialog.tsx'),
  (module) => module.AddAppDialog,
);

const CodesDialog = lazyPart(
  () => import('./codes-dialog.tsx'),
  (module) => module.CodesDialog,
);

/** What entering asks for after the password, and how to have it ask. */
export function FactorsPanel() {
  const factors = useFactors();
  const apps = factors.data?.filter(
    ({ factor_type, status }) => factor_type === 'totp' && status === 'verified',
  );
  const hasCodes = factors.data?.some(({ factor_type }) => factor_type === 'recovery_code') ?? false;
  return (
    <section aria-labelledby="second-factors" className="mt-8 flex flex-col gap-3">
      <div>
        <h2 id="second-factors" className="text-lg font-semibold text-ink">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.lead}</p>
      </div>
      {apps ? (
        <Apps apps={apps} hasCodes={hasCodes} />
      ) : factors.isError ? (
        <LoadError
          title={TEXT.loadFailed}
          description={TEXT.loadFailedWhy}
          onRetry={() => void factors.refetch()}
        />
      ) : (
        <div aria-busy="true">
          <Skeleton className="h-10 w-full" />
        </div>
      )}
    </section>
  );
}

interface AppsProps {
  readonly apps: readonly Factor[];
  /** Recovery codes were made. */
  readonly hasCodes: boolean;
}

function Apps({ apps, hasCodes }: AppsProps) {
  const remove = useRemoveFactor();
  const [asked, setAsked] = useState<Factor | null>(null);
  const [adding, setAdding] = useState(false);
  const makeCodes = useMakeCodes(hasCodes);
  const added = () => {
    setAdding(false);
    if (!hasCodes) void makeCodes.make();
  };
  const confirm = async () => {
    if (!asked) return;
    try {
      await remove.mutateAsync({ factorId: asked.id, isLast: apps.length === 1 });
      setAsked(null);
      toast.success(TEXT.removed);
    } catch (error) {
      toast.error(describeError(error, TEXT.removeFailed));
    }
  };
  return (
    <>
      {apps.length > 0 ? (
        <ul className="border-t border-line">
          {apps.map((app) => (
            <AppRow key={app.id} app={app} onRemove={() => setAsked(app)} />
          ))}
        </ul>
      ) : (
        <p className="text-base text-ink">{TEXT.none}</p>
      )}
      <Button className="self-start max-md:self-stretch" onClick={() => setAdding(true)}>
        <ShieldCheck aria-hidden className="size-4" />
        {apps.length > 0 ? TEXT.addAnother : TEXT.add}
      </Button>
      {apps.length > 0 ? <RecoveryCodes hasCodes={hasCodes} making={makeCodes} /> : null}
      <Suspense>
        {makeCodes.codes ? <CodesDialog codes={makeCodes.codes} onClose={makeCodes.forget} /> : null}
        {adding ? (
          <AddAppDialog taken={apps.map(nameOf)} onClose={() => setAdding(false)} onDone={added} />
        ) : null}
      </Suspense>
      <ConfirmDialog
        open={asked !== null}
        title={TEXT.removeQuestion(asked ? nameOf(asked) : '')}
        description={apps.length > 1 ? TEXT.removeWhy : TEXT.removeLastWhy}
        confirmLabel={TEXT.remove}
        busy={remove.isPending}
        busyLabel={TEXT.removing}
        onCancel={() => setAsked(null)}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short' });

function AppRow({ app, onRemove }: { readonly app: Factor; readonly onRemove: () => void }) {
  const nameId = useId();
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <Smartphone aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="truncate text-base font-medium text-ink" title={nameOf(app)}>
          {nameOf(app)}
        </p>
        <p className="text-sm text-ink-faint">{TEXT.added(day.format(new Date(app.created_at)))}</p>
      </div>
      <Button size="small" aria-describedby={nameId} onClick={onRemove}>
        {TEXT.remove}
      </Button>
    </li>
  );
}

function nameOf({ friendly_name: name }: Factor): string {
  return name || TEXT.unnamed;
}
