import { emailSchema } from '@linkoteca/domain/fields';
import { type FormEvent, useId, useState } from 'react';
import * as v from 'valibot';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { SwitchField } from '../../../shared/ui/fields/switch-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import {
  type MailAddress,
  useAllowAnyMailSender,
  useAllowMailSender,
  useForbidMailSender,
} from '../api/mail-address.ts';
import { MAIL_IN_MESSAGES } from '../model/mail-in-messages.ts';

const TEXT = MAIL_IN_MESSAGES.senders;

/** Whom links are taken from: the account's own address, those on the list, or everybody. */
export function MailSenders({ address }: { readonly address: MailAddress }) {
  const any = useAllowAnyMailSender();
  const turn = async (allowed: boolean) => {
    if (any.isPending) return;
    try {
      await any.mutateAsync(allowed);
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.anyFailed));
    }
  };
  // As it will be, while it is being written.
  const isAny = any.isPending ? any.variables : address.any_sender;
  return (
    <div className="flex flex-col gap-3">
      <h3 id="mail-senders" tabIndex={-1} className="text-base font-medium text-ink outline-none">
        {TEXT.title}
      </h3>
      <SwitchField
        label={TEXT.any}
        hint={TEXT.anyHint}
        checked={isAny}
        onChange={(checked) => void turn(checked)}
      />
      {isAny ? null : (
        <>
          <ul className="border-t border-line">
            <li className="border-b border-line py-2.5">
              {address.own_sender === null ? (
                <p className="text-base text-ink-soft">{TEXT.unconfirmed}</p>
              ) : (
                <>
                  <p className="text-base wrap-anywhere text-ink">{address.own_sender}</p>
                  <p className="text-sm text-ink-faint">{TEXT.own}</p>
                </>
              )}
            </li>
            {address.senders.map((email) => (
              <SenderRow key={email} email={email} />
            ))}
          </ul>
          <NewSender />
        </>
      )}
    </div>
  );
}

function SenderRow({ email }: { readonly email: string }) {
  const nameId = useId();
  const forbid = useForbidMailSender();
  const remove = async () => {
    const pressed = document.activeElement;
    try {
      await forbid.mutateAsync(email);
      focusHeading('mail-senders', pressed);
      toast.success(TEXT.forbidden);
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.forbidFailed));
    }
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-2.5">
      <span id={nameId} className="min-w-0 text-base wrap-anywhere text-ink">
        {email}
      </span>
      <Button
        size="small"
        busy={forbid.isPending}
        busyLabel={TEXT.forbidding}
        aria-describedby={nameId}
        onClick={() => void remove()}
      >
        {TEXT.forbid}
      </Button>
    </li>
  );
}

function NewSender() {
  const allow = useAllowMailSender();
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (allow.isPending) return;
    const checked = v.safeParse(emailSchema, email);
    setFault(checked.success ? undefined : TEXT.invalid);
    if (!checked.success) return;
    try {
      await allow.mutateAsync(checked.output);
      setEmail('');
      toast.success(TEXT.allowed);
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.allowFailed));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <TextField
        label={TEXT.field}
        type="email"
        placeholder={TEXT.placeholder}
        autoComplete="off"
        value={email}
        error={fault}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button
        type="submit"
        busy={allow.isPending}
        busyLabel={TEXT.allowing}
        className="self-start max-md:self-stretch"
      >
        {TEXT.allow}
      </Button>
    </form>
  );
}
