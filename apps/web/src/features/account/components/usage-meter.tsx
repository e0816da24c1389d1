import { formatNumber } from '@linkoteca/domain/formats';
import { Infinity as InfinityIcon } from 'lucide-react';
import { ProgressBar } from '../../../shared/ui/feedback/progress-bar.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import type { LinkUsage } from '../api/usage.ts';

/** Links used and allowed, with a bar; an infinity sign when there is no limit. */
export function UsageMeter({ usage }: { readonly usage: LinkUsage | null }) {
  if (!usage) return <Skeleton className="h-8 w-full" />;
  const { used, max, percent, warning } = usage;
  const tone = percent === 100 ? 'danger' : warning ? 'warning' : 'accent';
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between text-sm text-ink-soft tabular-nums">
        <span>Links</span>
        <span className="inline-flex items-center gap-1">
          <span className="font-medium text-ink">{formatNumber(used)}</span>/
          {max === null ? (
            <>
              <InfinityIcon aria-hidden className="size-4" />
              <VisuallyHidden>sem limite</VisuallyHidden>
            </>
          ) : (
            formatNumber(max)
          )}
        </span>
      </div>
      {percent === null ? null : <ProgressBar label="Links usados" percent={percent} tone={tone} />}
    </div>
  );
}
