import { formatMoment } from '@linkoteca/domain/dates';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { Monitor, Smartphone } from 'lucide-react';
import { useId, useState } from 'react';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useSessionStore } from '../../../shared/lib/session/session-context.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type Device, useDevices, useEndDevice, useEndDevices } from '../api/devices.ts';
import {
  DEVICE_MESSAGES,
  describeDevice,
  describeLastUse,
  DEVICE_MESSAGES as TEXT,
} from '../model/device-messages.ts';
import { describePlace, readUserAgent } from '../model/devices.ts';

/** Where the account is signed in, and the ways out. */
export function DevicesPanel() {
  const devices = useDevices();
  return (
    <section aria-labelledby="devices" className="mt-8 flex flex-col gap-3">
      <div>
        <h2 id="devices" tabIndex={-1} className="text-lg font-semibold text-ink outline-none">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.lead}</p>
      </div>
      {devices.data ? (
        <Devices devices={devices.data} />
      ) : devices.isError ? (
        <LoadError
          title={TEXT.loadFailed}
          description={TEXT.loadFailedWhy}
          onRetry={() => void devices.refetch()}
        />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-3">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      )}
    </section>
  );
}

function Devices({ devices }: { readonly devices: readonly Device[] }) {
  const session = useSessionStore();
  const end = useEndDevice();
  const [leaving, setLeaving] = useState<string | null>(null);
  const leave = async (device: Device) => {
    if (leaving !== null) return;
    setLeaving(device.session_id);
    const pressed = document.activeElement;
    try {
      if (device.is_current) {
        const error = await session.signOut();
        if (error) throw error;
        toast.success(ACCOUNT_MESSAGES.signOut.done.title, ACCOUNT_MESSAGES.signOut.done.description);
      } else {
        const wasThere = await end.mutateAsync(device);
        focusHeading('devices', pressed);
        toast.success(wasThere ? TEXT.ended : TEXT.gone);
      }
    } catch (error) {
      toast.error(describeError(error, TEXT.endFailed));
    } finally {
      setLeaving(null);
    }
  };
  return (
    <>
      <ul className="border-t border-line">
        {devices.map((device) => (
          <DeviceRow
            key={device.session_id}
            device={device}
            busy={leaving === device.session_id}
            onEnd={() => void leave(device)}
          />
        ))}
      </ul>
      <EndDevices alone={devices.length < 2} />
    </>
  );
}

interface DeviceRowProps {
  readonly device: Device;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

const PHONES: readonly (string | null)[] = ['iPhone', 'iPad', 'Android'];

/** One device: what it is, where, when it was last used, and the way out of it. */
export function DeviceRow({ device, busy, onEnd }: DeviceRowProps) {
  const nameId = useId();
  const { browser, system } = readUserAgent(device.user_agent);
  const Icon = PHONES.includes(system) ? Smartphone : Monitor;
  const used = device.is_current
    ? DEVICE_MESSAGES.now
    : describeLastUse(formatMoment(new Date(device.last_used_at), new Date()));
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 text-base font-medium text-ink">
          <span id={nameId}>{describeDevice(browser, system)}</span>
          {device.is_current ? <Badge tone="accent">{DEVICE_MESSAGES.current}</Badge> : null}
        </p>
        <p className="text-sm text-ink-faint">
          {describePlace(device.network)} · {used}
        </p>
      </div>
      <Button
        size="small"
        busy={busy}
        busyLabel={DEVICE_MESSAGES.ending}
        aria-describedby={nameId}
        onClick={onEnd}
      >
        {DEVICE_MESSAGES.end}
      </Button>
    </li>
  );
}

const left = ACCOUNT_MESSAGES.signOut.done;

type Scope = 'others' | 'global';

const QUESTIONS = {
  others: { title: TEXT.endOthersQuestion, description: TEXT.endOthersWhy, confirmLabel: TEXT.endOthers },
  global: { title: TEXT.endAllQuestion, description: TEXT.endAllWhy, confirmLabel: TEXT.endAll },
} as const;

/** Out of all other devices, or of all, after a question. `alone`: there is no other one. */
export function EndDevices({ alone }: { readonly alone: boolean }) {
  const end = useEndDevices();
  const [asked, setAsked] = useState<Scope>('others');
  const [open, setOpen] = useState(false);
  const ask = (scope: Scope) => {
    setAsked(scope);
    setOpen(true);
  };
  const confirm = async () => {
    try {
      await end.mutateAsync(asked);
      setOpen(false);
      if (asked === 'others') toast.success(TEXT.endedOthers);
      else toast.success(left.title, left.description);
    } catch (error) {
      toast.error(describeError(error, TEXT.endManyFailed));
    }
  };
  return (
    <div className="flex flex-wrap gap-2">
      {alone ? null : <Button onClick={() => ask('others')}>{TEXT.endOthers}</Button>}
      <Button onClick={() => ask('global')}>{TEXT.endAll}</Button>
      <ConfirmDialog
        {...QUESTIONS[asked]}
        open={open}
        busy={end.isPending}
        busyLabel={TEXT.ending}
        onCancel={() => setOpen(false)}
        onConfirm={() => void confirm()}
      />
    </div>
  );
}
