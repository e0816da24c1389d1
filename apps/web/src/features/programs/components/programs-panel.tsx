import { formatDate, formatMoment } from '@linkoteca/domain/dates';
import { AppWindow } from 'lucide-react';
import { useId, useState } from 'react';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type Grant, useEndGrant, useGrants } from '../api/grants.ts';
import { readProgramName } from '../model/describe-program.ts';
import {
  describeGranted,
  describeScope,
  describeUse,
  PROGRAM_MESSAGES as TEXT,
} from '../model/program-messages.ts';
import { AssistantsSection } from './assistants-section.tsx';
import { TokensPanel } from './tokens-panel.tsx';

/** Who acts for the person: programs, and their own scripts. */
export function ProgramsPanel() {
  const { oauthServer, personalTokens } = useBackend().config;
  return (
    <div className="flex max-w-prose flex-col gap-8">
      {oauthServer === false ? null : <ConnectedPrograms />}
      {personalTokens && oauthServer !== false ? <AssistantsSection /> : null}
      {personalTokens ? <TokensPanel /> : null}
    </div>
  );
}

function ConnectedPrograms() {
  const grants = useGrants();
  return (
    <section aria-labelledby="programs" className="flex flex-col gap-3">
      <div>
        <h2 id="programs" tabIndex={-1} className="text-lg font-semibold text-ink outline-none">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.lead}</p>
      </div>
      {grants.data ? (
        <Programs grants={grants.data} />
      ) : grants.isError ? (
        <LoadError
          title={TEXT.loadFailed}
          description={TEXT.loadFailedWhy}
          onRetry={() => void grants.refetch()}
        />
      ) : (
        <Skeleton className="h-10 w-full" />
      )}
    </section>
  );
}

function Programs({ grants }: { readonly grants: readonly Grant[] }) {
  const end = useEndGrant();
  const [leaving, setLeaving] = useState<string | null>(null);
  if (grants.length === 0) return <p className="text-base text-ink-soft">{TEXT.none}</p>;
  const disconnect = async (clientId: string) => {
    if (leaving !== null) return;
    setLeaving(clientId);
    const pressed = document.activeElement;
    try {
      await end.mutateAsync(clientId);
      focusHeading('programs', pressed);
      toast.success(TEXT.disconnected);
    } catch (error) {
      toast.error(describeError(error, TEXT.disconnectFailed));
    } finally {
      setLeaving(null);
    }
  };
  return (
    <ul className="border-t border-line">
      {grants.map((grant) => (
        <ProgramRow
          key={grant.client.id}
          grant={grant}
          busy={leaving === grant.client.id}
          onEnd={() => void disconnect(grant.client.id)}
        />
      ))}
    </ul>
  );
}

interface ProgramRowProps {
  readonly grant: Grant;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function ProgramRow({ grant, busy, onEnd }: ProgramRowProps) {
  const nameId = useId();
  const used = grant.last_used_at && formatMoment(new Date(grant.last_used_at), new Date());
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <AppWindow aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-base font-medium break-words text-ink">
          <bdi id={nameId}>{readProgramName(grant.client.name)}</bdi>
        </p>
        <p className="text-sm text-ink-faint">
          {describeGranted(formatDate(new Date(grant.granted_at)))}
          {used ? ` · ${describeUse(used)}` : null}
        </p>
        <ul className="mt-1 text-sm text-ink-soft">
          {grant.scopes.map((scope) => (
            <li key={scope}>{describeScope(scope)}</li>
          ))}
        </ul>
      </div>
      <Button
        size="small"
        busy={busy}
        busyLabel={TEXT.disconnecting}
        aria-describedby={nameId}
        onClick={onEnd}
      >
        {TEXT.disconnect}
      </Button>
    </li>
  );
}
