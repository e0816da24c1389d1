import { useRef } from 'react';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useChangeMailAddress, useMailAddress } from '../api/mail-address.ts';
import { MAIL_IN_MESSAGES as TEXT } from '../model/mail-in-messages.ts';
import { MailAddressField } from './mail-address-field.tsx';
import { MailSenders } from './mail-senders.tsx';
import { RefusedMails } from './refused-mails.tsx';

/** Saving by mail: the person's secret address, whom it takes links from, and what it did not take. @param domain stands after the @. */
export function MailInSection({ domain }: { readonly domain: string }) {
  const address = useMailAddress();
  const online = useOnline();
  // The button that was pressed is gone once there is an address, or none any more: the keyboard stays here.
  const heading = useRef<HTMLHeadingElement>(null);
  const stay = () => heading.current?.focus();
  return (
    <section aria-labelledby="mail-in" className="rounded-lg border border-line bg-surface p-4 md:p-5">
      <h2 id="mail-in" ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {TEXT.title}
      </h2>
      <p className="mt-1 mb-4 text-base text-ink-soft">{TEXT.lead}</p>
      {address.data ? (
        <div className="flex flex-col gap-6">
          <MailAddressField address={`${address.data.local_part}@${domain}`} onGone={stay} />
          <MailSenders address={address.data} />
          <RefusedMails senders={address.data.senders} />
        </div>
      ) : address.data === null ? (
        <NoAddress onMade={stay} />
      ) : online ? (
        address.isError ? (
          <LoadError
            title={TEXT.loadFailed}
            description={TEXT.loadFailedWhy}
            onRetry={() => void address.refetch()}
          />
        ) : (
          <Skeleton className="h-10 w-full" />
        )
      ) : (
        <p className="text-base text-ink-soft">{TEXT.offline}</p>
      )}
    </section>
  );
}

function NoAddress({ onMade }: { readonly onMade: () => void }) {
  const change = useChangeMailAddress();
  const make = async () => {
    try {
      await change.mutateAsync();
      onMade();
      toast.success(TEXT.made);
    } catch (error) {
      toast.error(describeError(error, TEXT.makeFailed));
    }
  };
  return (
    <Button variant="primary" busy={change.isPending} busyLabel={TEXT.making} onClick={() => void make()}>
      {TEXT.make}
    </Button>
  );
}
