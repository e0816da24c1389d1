import { DEVICE_MESSAGES, describeDevice, describeLastUse } from '@linkoteca/domain/device-messages';
import { formatMoment } from '@linkoteca/domain/format-moment';
import { Monitor, Smartphone } from 'lucide-react';
import { useId } from 'react';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import type { Device } from '../api/use-devices.ts';
import { describePlace } from '../model/describe-place.ts';
import { readUserAgent } from '../model/read-user-agent.ts';

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
