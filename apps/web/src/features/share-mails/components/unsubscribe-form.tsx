import { describeShareMails, SHARE_MAIL_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { useState } from 'react';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { type ShareMailChoice, useChooseShareMails } from '../api/use-choose-share-mails.ts';

const messages = SHARE_MAIL_MESSAGES;

/**
 * One press ends the mails about sharing, another allows them again. Opening the page changes nothing: scanners of mail
 * programs open every link.
 */
export function UnsubscribeForm({ token }: { readonly token: string }) {
  const choose = useChooseShareMails();
  const [choice, setChoice] = useState<ShareMailChoice>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const stopped = choice?.stopped === true;
  const press = useSingleFlight(async (stop: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      setChoice(await choose(token, stop));
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : messages.failed);
    } finally {
      setBusy(false);
    }
  });
  return (
    <div className="flex w-full flex-col gap-4">
      {choice ? (
        <Notice tone="success">{describeShareMails(choice.email, choice.stopped)}</Notice>
      ) : (
        <p className="text-base text-ink-soft">{messages.question}</p>
      )}
      {stopped && <p className="text-base text-ink-soft">{messages.stillOpens}</p>}
      {error !== undefined && <Notice tone="danger">{error}</Notice>}
      <Button
        variant={stopped ? 'secondary' : 'primary'}
        size="large"
        busy={isBusy}
        busyLabel={messages.stopping}
        onClick={() => void press(!stopped)}
      >
        {stopped ? messages.resume : messages.stop}
      </Button>
    </div>
  );
}
