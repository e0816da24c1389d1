import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { DEVICE_MESSAGES as TEXT } from '@linkoteca/domain/device-messages';
import { useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useSessionStore } from '../../../shared/lib/session/session-context.tsx';
import { LoadError } from '../../../shared/ui/load-error.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { type Device, useDevices } from '../api/use-devices.ts';
import { useEndDevice } from '../api/use-end-device.ts';
import { DeviceRow } from './device-row.tsx';
import { EndDevices } from './end-devices.tsx';

/** Where the account is signed in, and the ways out. */
export function DevicesPanel() {
  const devices = useDevices();
  return (
    <section aria-labelledby="devices" className="mt-8 flex flex-col gap-3">
      <div>
        <h2 id="devices" className="text-lg font-semibold text-ink">
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
    try {
      if (device.is_current) {
        const error = await session.signOut();
        if (error) throw error;
        toast.success(ACCOUNT_MESSAGES.signOut.done.title, ACCOUNT_MESSAGES.signOut.done.description);
      } else toast.success((await end.mutateAsync(device)) ? TEXT.ended : TEXT.gone);
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
