import { Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type LinkChecks, useLinkChecks, useSetLinkChecks } from '../api/link-checks.ts';
import {
  describeBrokenCount,
  describeProgress,
  LINK_CHECK_MESSAGES as TEXT,
} from '../model/link-check-messages.ts';

/** Whether one's links are looked at, how far that has come, and the switch. @param children what else can be done, beside it. */
export function LinkChecksPanel({ children }: { readonly children?: ReactNode }) {
  const { linkChecks } = useBackend().config;
  const query = useLinkChecks();
  if (linkChecks === false) return <p className="text-base text-ink-soft">{TEXT.notHere}</p>;
  if (query.isPending) return <Skeleton className="h-10 w-full max-w-prose" />;
  if (query.data === undefined)
    return (
      <p role="alert" className="text-base text-ink-soft">
        {TEXT.loadFailed}.{' '}
        <button
          type="button"
          onClick={() => void query.refetch()}
          className="rounded-sm text-accent-text hover:underline"
        >
          Tentar de novo
        </button>
      </p>
    );
  return <Switch checks={query.data}>{children}</Switch>;
}

function Switch({ checks, children }: { readonly checks: LinkChecks | null; readonly children: ReactNode }) {
  const set = useSetLinkChecks();
  const turn = async (enabled: boolean) => {
    try {
      await set.mutateAsync(enabled);
      if (enabled) toast.success(TEXT.turnedOn, TEXT.patience);
      else toast.success(TEXT.turnedOff, TEXT.forgotten);
    } catch (error) {
      toast.error(TEXT.failed, describeError(error, TEXT.failedWhy));
    }
  };
  return (
    <div className="flex max-w-prose flex-col gap-3">
      {checks === null ? (
        <p className="text-base text-ink-soft">{TEXT.why}</p>
      ) : (
        <p role="status" className="text-base text-ink-soft tabular-nums">
          <span className="font-medium text-ink">{describeBrokenCount(checks.broken)}</span>
          {` · ${describeProgress(checks)}${checks.ended_at === null ? `. ${TEXT.patience}` : ''}`}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={checks === null ? 'primary' : 'secondary'}
          icon={checks === null ? <Unlink aria-hidden /> : null}
          busy={set.isPending}
          onClick={() => void turn(checks === null)}
        >
          {checks === null ? TEXT.turnOn : TEXT.turnOff}
        </Button>
        {children}
      </div>
    </div>
  );
}
