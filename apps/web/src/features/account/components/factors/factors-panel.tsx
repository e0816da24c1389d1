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

const AddAppDialog = lazyPart(
  () => import('./add-app-dialog.tsx'),
  (module) => module.AddAppDialog,
);

/** What entering asks for after the password, and how to have it ask. */
export function FactorsPanel() {
  const factors = useFactors();
  const apps = factors.data?.filter(
    ({ factor_type, status }) => factor_type === 'totp' && status === 'verified',
  );
  return (
    <section aria-labelledby="second-factors" className="mt-8 flex flex-col gap-3">
      <div>
        <h2 id="second-factors" className="text-lg font-semibold text-ink">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.lead}</p>
      </div>
      {apps ? (
        <Apps apps={apps} />
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

function Apps({ apps }: { readonly apps: readonly Factor[] }) {
  const remove = useRemoveFactor();
  const [asked, setAsked] = useState<Factor | null>(null);
  const [adding, setAdding] = useState(false);
  const confirm = async () => {
    if (!asked) return;
    try {
      await remove.mutateAsync(asked.id);
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
      <Suspense>
        {adding ? <AddAppDialog taken={apps.map(nameOf)} onClose={() => setAdding(false)} /> : null}
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
