import { formatMoment } from '@linkoteca/domain/dates';
import { useId } from 'react';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type RefusedMail, useAllowMailSender, useRefusedMails } from '../api/mail-address.ts';
import { describeRefusedMail, MAIL_IN_MESSAGES } from '../model/mail-in-messages.ts';

const TEXT = MAIL_IN_MESSAGES.refused;

/** The last mails of which something was not saved. @param senders who is let by now. */
export function RefusedMails({ senders }: { readonly senders: readonly string[] }) {
  const refused = useRefusedMails();
  const online = useOnline();
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h3 id="refused-mails" tabIndex={-1} className="text-base font-medium text-ink outline-none">
          {TEXT.title}
        </h3>
        <p className="text-sm text-ink-soft">{TEXT.lead}</p>
      </div>
      {refused.data?.length === 0 ? (
        <p className="text-base text-ink-soft">{TEXT.none}</p>
      ) : refused.data ? (
        <ul className="border-t border-line">
          {refused.data.map((mail) => (
            <RefusedRow key={mail.id} mail={mail} allowed={senders.includes(mail.sender)} />
          ))}
        </ul>
      ) : refused.isError && online ? (
        <LoadError
          title={TEXT.loadFailed}
          description={MAIL_IN_MESSAGES.loadFailedWhy}
          onRetry={() => void refused.refetch()}
        />
      ) : (
        <Skeleton className="h-10 w-full" />
      )}
    </div>
  );
}

function RefusedRow({ mail, allowed }: { readonly mail: RefusedMail; readonly allowed: boolean }) {
  const senderId = useId();
  const allow = useAllowMailSender();
  const letSender = async () => {
    const pressed = document.activeElement;
    try {
      await allow.mutateAsync(mail.sender);
      focusHeading('refused-mails', pressed);
      toast.success(MAIL_IN_MESSAGES.senders.allowed, TEXT.allowedWhy);
    } catch (error) {
      toast.error(describeRefusal(error, MAIL_IN_MESSAGES.senders.allowFailed));
    }
  };
  const canAllow = mail.reason === 'unknown_sender' && mail.sender !== '' && !allowed;
  return (
    <li className="flex flex-col gap-1 border-b border-line py-3">
      <p className="text-base font-medium wrap-anywhere text-ink">
        <bdi>{mail.subject || TEXT.noSubject}</bdi>
      </p>
      <p className="text-sm wrap-anywhere text-ink-faint">
        <bdi id={senderId}>{mail.sender || TEXT.noSender}</bdi>
        {` · ${formatMoment(new Date(mail.refused_at), new Date())}`}
      </p>
      <p className="text-sm text-ink-soft">{describeRefusedMail(mail.reason)}</p>
      {canAllow ? (
        <Button
          size="small"
          className="mt-1 self-start"
          busy={allow.isPending}
          busyLabel={MAIL_IN_MESSAGES.senders.allowing}
          aria-describedby={senderId}
          onClick={() => void letSender()}
        >
          {TEXT.allow}
        </Button>
      ) : null}
    </li>
  );
}
