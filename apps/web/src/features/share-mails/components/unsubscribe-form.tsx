import {
  type EndedMail,
  UNSUBSCRIBE_MESSAGES,
  UNSUBSCRIBE_PROGRESS,
} from '@linkoteca/domain/messages/unsubscribe-messages';
import { useState } from 'react';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { type ShareMailChoice, useChooseShareMails } from '../api/use-choose-share-mails.ts';

interface UnsubscribeFormProps {
  readonly token: string;
  readonly mail: EndedMail;
}

/**
 * One press ends the mails, another allows them again. Opening the page changes nothing: scanners of mail
 * programs open every link.
 */
export function UnsubscribeForm({ token, mail }: UnsubscribeFormProps) {
  const messages = UNSUBSCRIBE_MESSAGES[mail];
  const choose = useChooseShareMails();
  const [choice, setChoice] = useState<ShareMailChoice>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const stopped = choice?.stopped === true;
  const press = useSingleFlight(async (stop: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      setChoice(await choose(token, stop, mail));
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : UNSUBSCRIBE_PROGRESS.failed);
    } finally {
      setBusy(false);
    }
  });
  return (
    <div className="flex w-full flex-col gap-4">
      {choice ? (
        <Notice tone="success">{messages.describe(choice.email, choice.stopped)}</Notice>
      ) : (
        <p className="text-base text-ink-soft">{messages.question}</p>
      )}
      {stopped && <p className="text-base text-ink-soft">{messages.stillOpens}</p>}
      {error !== undefined && <Notice tone="danger">{error}</Notice>}
      <Button
        variant={stopped ? 'secondary' : 'primary'}
        size="large"
        busy={isBusy}
        busyLabel={UNSUBSCRIBE_PROGRESS.saving}
        onClick={() => void press(!stopped)}
      >
        {stopped ? messages.resume : messages.stop}
      </Button>
    </div>
  );
}
