import type { Factor } from '@supabase/auth-js';
import { Fingerprint, MessageSquareText, ShieldCheck, Smartphone } from 'lucide-react';
import { Suspense, useId, useRef, useState } from 'react';
import { lazyPart } from '../../../../shared/lib/browser/lazy-part.tsx';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { canAskSecurityKey } from '../../../../shared/lib/session/ask-security-key.ts';
import { useBackend } from '../../../../shared/lib/supabase/backend-context.tsx';
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

const AddKeyDialog = lazyPart(
  () => import('./add-key-dialog.tsx'),
  (module) => module.AddKeyDialog,
);

const AddPhoneDialog = lazyPart(
  () => import('./add-phone-dialog.tsx'),
  (module) => module.AddPhoneDialog,
);

const CodesDialog = lazyPart(
  () => import('./codes-dialog.tsx'),
  (module) => module.CodesDialog,
);

/** What entering asks for after the password, and how to have it ask. */
export function FactorsPanel() {
  const factors = useFactors();
  const devices = factors.data?.filter(
    ({ factor_type, status }) => factor_type !== 'recovery_code' && status === 'verified',
  );
  const hasCodes = factors.data?.some(({ factor_type }) => factor_type === 'recovery_code') ?? false;
  return (
    <section aria-labelledby="second-factors" className="mt-8 flex flex-col gap-3">
      <div>
        <h2 id="second-factors" tabIndex={-1} className="text-lg font-semibold text-ink outline-none">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.lead}</p>
      </div>
      {devices ? (
        <Devices devices={devices} hasCodes={hasCodes} />
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

interface DevicesProps {
  /** Apps, keys and phones. */
  readonly devices: readonly Factor[];
  /** Recovery codes were made. */
  readonly hasCodes: boolean;
}

function Devices({ devices, hasCodes }: DevicesProps) {
  const { securityKeys = false, phoneFactors = false } = useBackend().config;
  const remove = useRemoveFactor();
  const [asked, setAsked] = useState<Factor | null>(null);
  const [adding, setAdding] = useState<'app' | 'key' | 'phone' | null>(null);
  const makeCodes = useMakeCodes(hasCodes, CodesDialog.preload);
  const added = () => {
    setAdding(null);
    if (!hasCodes) void makeCodes.make();
  };
  const gone = useRef(false);
  const ask = (device: Factor) => {
    gone.current = false;
    setAsked(device);
  };
  const confirm = async () => {
    if (!asked) return;
    try {
      await remove.mutateAsync({ factorId: asked.id, isLast: devices.length === 1 });
      gone.current = true;
      setAsked(null);
      toast.success(TEXT.removed);
    } catch (error) {
      toast.error(describeError(error, TEXT.removeFailed));
    }
  };
  return (
    <>
      {devices.length > 0 ? (
        <ul className="border-t border-line">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} onRemove={() => ask(device)} />
          ))}
        </ul>
      ) : (
        <p className="text-base text-ink">{TEXT.none}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button className="max-md:flex-1" onClick={() => setAdding('app')}>
          <ShieldCheck aria-hidden className="size-4" />
          {devices.some(isApp) ? TEXT.addAnother : TEXT.add}
        </Button>
        {securityKeys && canAskSecurityKey() ? (
          <Button className="max-md:flex-1" onClick={() => setAdding('key')}>
            <Fingerprint aria-hidden className="size-4" />
            {TEXT.addKey}
          </Button>
        ) : null}
        {phoneFactors ? (
          <Button className="max-md:flex-1" onClick={() => setAdding('phone')}>
            <MessageSquareText aria-hidden className="size-4" />
            {TEXT.addPhone}
          </Button>
        ) : null}
      </div>
      {devices.length > 0 ? <RecoveryCodes hasCodes={hasCodes} making={makeCodes} /> : null}
      <Suspense>
        {makeCodes.codes ? <CodesDialog codes={makeCodes.codes} onClose={makeCodes.forget} /> : null}
        {adding === 'app' ? (
          <AddAppDialog taken={devices.map(nameOf)} onClose={() => setAdding(null)} onDone={added} />
        ) : null}
        {adding === 'phone' ? (
          <AddPhoneDialog taken={devices.map(nameOf)} onClose={() => setAdding(null)} onDone={added} />
        ) : null}
        {adding === 'key' ? (
          <AddKeyDialog taken={devices.map(nameOf)} onClose={() => setAdding(null)} onDone={added} />
        ) : null}
      </Suspense>
      <ConfirmDialog
        open={asked !== null}
        title={TEXT.removeQuestion(asked ? nameOf(asked) : '')}
        description={devices.length > 1 ? TEXT.removeWhy : TEXT.removeLastWhy}
        confirmLabel={TEXT.remove}
        busy={remove.isPending}
        busyLabel={TEXT.removing}
        onCancel={() => setAsked(null)}
        onConfirm={() => void confirm()}
        finalFocus={() => (gone.current ? document.getElementById('second-factors') : true)}
      />
    </>
  );
}

const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short' });

function DeviceRow({ device, onRemove }: { readonly device: Factor; readonly onRemove: () => void }) {
  const nameId = useId();
  const Icon = ICONS[device.factor_type] ?? Fingerprint;
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="truncate text-base font-medium text-ink" title={nameOf(device)}>
          {nameOf(device)}
        </p>
        <p className="text-sm text-ink-faint">{TEXT.added(day.format(new Date(device.created_at)))}</p>
      </div>
      <Button size="small" aria-describedby={nameId} onClick={onRemove}>
        {TEXT.remove}
      </Button>
    </li>
  );
}

function isApp({ factor_type: type }: Factor): boolean {
  return type === 'totp';
}

const ICONS: Readonly<Record<string, typeof Smartphone>> = { totp: Smartphone, phone: MessageSquareText };
const UNNAMED: Readonly<Record<string, string>> = { totp: TEXT.unnamed, phone: TEXT.unnamedPhone };

function nameOf(device: Factor): string {
  return device.friendly_name || (UNNAMED[device.factor_type] ?? TEXT.unnamedKey);
}
