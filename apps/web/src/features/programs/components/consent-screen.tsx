import { AppWindow, Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Spinner } from '../../../shared/ui/feedback/spinner.tsx';
import { type Authorization, isGone, useAnswer, useAuthorization } from '../api/authorization.ts';
import { describeReturn, isSafeAddress, mixesAlphabets, readProgramName } from '../model/describe-program.ts';
import { describeAccount, describeScope, CONSENT_MESSAGES as TEXT } from '../model/program-messages.ts';

interface ConsentScreenProps {
  readonly id: string;
  readonly leave?: (address: string) => void;
}

const leaveByAddress = (address: string) => window.location.assign(address);

/** Who asks, for what, where the answer goes, and the two answers. */
export function ConsentScreen({ id, leave = leaveByAddress }: ConsentScreenProps) {
  const { state, retry } = useAuthorization(id);
  const [isUnsafe, setUnsafe] = useState(false);
  const [isOver, setOver] = useState(false);
  const go = (address: string) => (isSafeAddress(address) ? leave(address) : setUnsafe(true));
  const answered = state.status === 'answered' ? state.redirectUrl : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one leaves once for an answer
  useEffect(() => {
    if (answered !== undefined) go(answered);
  }, [answered]);

  if (isUnsafe) return <Notice tone="danger">{TEXT.away}</Notice>;
  if (isOver) return <Gone />;
  switch (state.status) {
    case 'loading':
      return <Spinner />;
    case 'answered':
      return <p role="status">{TEXT.leaving}</p>;
    case 'gone':
      return <Gone />;
    case 'unread':
      return <LoadError title={TEXT.unread} description={TEXT.unreadWhy} onRetry={retry} />;
    case 'asked':
      return <Question id={id} asked={state.asked} onAnswered={go} onGone={() => setOver(true)} />;
  }
}

function Gone() {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{TEXT.gone}</h1>
      <p className="text-base text-ink-soft">{TEXT.goneWhy}</p>
    </>
  );
}

interface QuestionProps {
  readonly id: string;
  readonly asked: Authorization;
  readonly onAnswered: (address: string) => void;
  readonly onGone: () => void;
}

function Question({ id, asked, onAnswered, onGone }: QuestionProps) {
  const answer = useAnswer(id);
  const [pending, setPending] = useState<'allow' | 'deny' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async (choice: 'allow' | 'deny') => {
    if (pending !== null) return;
    setPending(choice);
    setFailure(null);
    try {
      onAnswered(await answer(choice === 'allow'));
    } catch (error) {
      if (isGone(error)) return onGone();
      setFailure(describeError(error, TEXT.failed));
      setPending(null);
    }
  };
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{TEXT.asks}</h1>
      <Asker asked={asked} />
      <div className="text-base">
        <p className="font-medium text-ink">{TEXT.may}</p>
        <ul className="mt-1.5 flex flex-col gap-1.5">
          {asked.scopes.map((scope) => (
            <li key={scope} className="flex items-start gap-2 text-ink">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
              <span className="min-w-0 break-words">{describeScope(scope)}</span>
            </li>
          ))}
        </ul>
      </div>
      <p className="text-sm text-ink-soft">{TEXT.mayNot}</p>
      {failure === null ? null : <Notice tone="danger">{failure}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          size="large"
          busy={pending === 'allow'}
          busyLabel={TEXT.allowing}
          onClick={() => void send('allow')}
        >
          {TEXT.allow}
        </Button>
        <Button size="large" busy={pending === 'deny'} onClick={() => void send('deny')}>
          {TEXT.deny}
        </Button>
      </div>
    </>
  );
}

/** The program, by its own words, apart from ours. */
function Asker({ asked }: { readonly asked: Authorization }) {
  return (
    <section aria-label={TEXT.title} className="flex flex-col gap-2 rounded-lg bg-sunken p-4">
      <p className="flex items-center gap-2 text-lg font-semibold text-ink">
        <AppWindow aria-hidden className="size-5 shrink-0 text-ink-faint" />
        <bdi className="min-w-0 break-words">{readProgramName(asked.name)}</bdi>
      </p>
      <p className="break-words text-base text-ink">{describeReturn(asked.redirectUri)}</p>
      <p className="break-words text-sm text-ink-soft">{describeAccount(asked.email)}</p>
      <p className={mixesAlphabets(asked.name) ? 'text-sm text-warning-text' : 'text-sm text-ink-soft'}>
        {TEXT.unproven}
      </p>
    </section>
  );
}
