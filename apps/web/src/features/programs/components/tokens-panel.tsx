import { formatDate, formatMoment } from '@linkoteca/domain/dates';
import { KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type PersonalToken, usePersonalTokens, useRevokeToken } from '../api/personal-tokens.ts';
import {
  describeEnd,
  describeScope,
  describeUse,
  TOKEN_MESSAGES as TEXT,
} from '../model/program-messages.ts';
import { NewTokenForm } from './new-token-form.tsx';

/** The person's own tokens, and a form for another. */
export function TokensPanel() {
  const tokens = usePersonalTokens();
  return (
    <section aria-labelledby="tokens" className="flex flex-col gap-3">
      <div>
        <h2 id="tokens" tabIndex={-1} className="text-lg font-semibold text-ink outline-none">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">
          {TEXT.lead}{' '}
          <a
            href="/api/v1/docs"
            target="_blank"
            rel="noopener"
            className="text-accent-text underline underline-offset-2"
          >
            {TEXT.documentation}
          </a>
        </p>
      </div>
      {tokens.data ? (
        <Tokens tokens={tokens.data} />
      ) : tokens.isError ? (
        <LoadError
          title={TEXT.loadFailed}
          description={TEXT.loadFailedWhy}
          onRetry={() => void tokens.refetch()}
        />
      ) : (
        <Skeleton className="h-10 w-full" />
      )}
      <NewTokenForm />
    </section>
  );
}

function Tokens({ tokens }: { readonly tokens: readonly PersonalToken[] }) {
  const revoke = useRevokeToken();
  const [ending, setEnding] = useState<string | null>(null);
  if (tokens.length === 0) return <p className="text-base text-ink-soft">{TEXT.none}</p>;
  const end = async (id: string) => {
    if (ending !== null) return;
    setEnding(id);
    const pressed = document.activeElement;
    try {
      await revoke.mutateAsync(id);
      focusHeading('tokens', pressed);
      toast.success(TEXT.revoked);
    } catch (error) {
      toast.error(describeError(error, TEXT.revokeFailed));
    } finally {
      setEnding(null);
    }
  };
  return (
    <ul className="border-t border-line">
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} busy={ending === token.id} onEnd={() => void end(token.id)} />
      ))}
    </ul>
  );
}

interface TokenRowProps {
  readonly token: PersonalToken;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function TokenRow({ token, busy, onEnd }: TokenRowProps) {
  const nameId = useId();
  const used = token.last_used_at === null ? null : formatMoment(new Date(token.last_used_at), new Date());
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="text-base font-medium break-words text-ink">
          {token.name}
        </p>
        <p className="text-sm text-ink-faint">
          {`${describeEnd(formatDate(new Date(token.expires_at)))} · ${describeUse(used)}`}
        </p>
        <ul className="mt-1 text-sm text-ink-soft">
          {token.scopes.map((scope) => (
            <li key={scope}>{describeScope(scope)}</li>
          ))}
        </ul>
      </div>
      <Button size="small" busy={busy} busyLabel={TEXT.revoking} aria-describedby={nameId} onClick={onEnd}>
        {TEXT.revoke}
      </Button>
    </li>
  );
}
