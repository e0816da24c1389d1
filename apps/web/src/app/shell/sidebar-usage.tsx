import { useLinkUsage } from '../../features/account/api/use-link-usage.ts';
import { UsageMeter } from '../../features/account/components/usage-meter.tsx';

/** Links used, at the sidebar's foot, on plans that have a limit. */
export function SidebarUsage() {
  const usage = useLinkUsage();
  if (usage?.max == null) return null;
  return (
    <div className="shrink-0 border-t border-line px-4 py-3">
      <UsageMeter usage={usage} />
    </div>
  );
}
