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

/** Whether one's links are looked at, how far that has come, and the switch. @param children the way on, while it is on. */
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
      else toast.success(TEXT.turnedOff);
    } catch (error) {
      toast.error(TEXT.failed, describeError(error, TEXT.failedWhy));
    }
  };
  if (checks === null)
    return (
      <div className="flex max-w-prose flex-col gap-3">
        <p className="text-base text-ink-soft">{TEXT.why}</p>
        <Button
          variant="primary"
          className="self-start max-md:self-stretch"
          busy={set.isPending}
          onClick={() => void turn(true)}
        >
          <Unlink aria-hidden />
          {TEXT.turnOn}
        </Button>
      </div>
    );
  return (
    <div className="flex max-w-prose flex-col gap-1">
      <p role="status" className="text-base tabular-nums">
        <span className="font-medium">{describeBrokenCount(checks.broken)}</span>
        <span className="text-ink-soft"> · {describeProgress(checks)}</span>
      </p>
      <p className="text-sm text-ink-soft">
        {checks.ended_at === null ? `${TEXT.patience} ` : null}
        {TEXT.forgets}
      </p>
      <div className="mt-1 flex flex-wrap gap-2">
        {children}
        <Button busy={set.isPending} onClick={() => void turn(false)}>
          {TEXT.turnOff}
        </Button>
      </div>
    </div>
  );
}
