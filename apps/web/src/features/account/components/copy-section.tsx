import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { ProgressBar } from '../../../shared/ui/feedback/progress-bar.tsx';
import { type AccountCopyState, useAccountCopy } from '../api/account-copy.ts';

const words = ACCOUNT_LIFE_MESSAGES.copy;

/** Everything that is the person's, as one file; on every plan. */
export function CopySection() {
  const online = useOnline();
  const { state, start, cancel } = useAccountCopy();
  const working = state.status === 'working';
  return (
    <section className="flex flex-col gap-4" aria-labelledby="account-copy">
      <div>
        <h2 id="account-copy" className="text-lg font-semibold">
          {words.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{words.explanation}</p>
      </div>
      {working ? <ProgressBar label={words.preparing} percent={state.percent} /> : null}
      <Outcome state={state} />
      {online || working ? null : <Notice tone="warning">{words.offline}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button size="large" busy={working} busyLabel={words.preparing} disabled={!online} onClick={start}>
          {words.start}
        </Button>
        {working ? (
          <Button size="large" onClick={cancel}>
            {words.cancel}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function Outcome({ state }: { readonly state: AccountCopyState }) {
  if (state.status === 'done') return <Notice tone="success">{words.done}</Notice>;
  if (state.status === 'canceled') return <Notice>{words.canceled}</Notice>;
  if (state.status === 'failed')
    return <Notice tone="danger">{describeError(state.error, words.failed)}</Notice>;
  return null;
}
