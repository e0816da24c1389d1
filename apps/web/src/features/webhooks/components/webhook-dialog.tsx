import { useState } from 'react';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useChangeWebhook, useCreateWebhook, type Webhook } from '../api/webhooks.ts';
import { nameEvent, WEBHOOK_MESSAGES as TEXT, WEBHOOK_EVENTS } from '../model/webhook-messages.ts';

interface WebhookDialogProps {
  readonly open: boolean;
  /** The one to be changed; null makes another. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** Told the secret of a new one. */
  readonly onCreated?: (secret: string) => void;
}

/** Address and events of a webhook. */
export function WebhookDialog(props: WebhookDialogProps) {
  // A form of its own each time: what was typed and left is gone.
  return props.open ? <WebhookForm {...props} /> : null;
}

function WebhookForm({ open, webhook, onClose, onCreated }: WebhookDialogProps) {
  const create = useCreateWebhook();
  const change = useChangeWebhook();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const before: readonly string[] = webhook?.events ?? WEBHOOK_EVENTS;
  const [events, setEvents] = useState(before);
  const [fault, setFault] = useState<{ readonly url?: string; readonly events?: string }>({});
  const toggle = (event: string, isOn: boolean) =>
    setEvents((held) => WEBHOOK_EVENTS.filter((one) => (one === event ? isOn : held.includes(one))));
  const isMarkedOtherwise = WEBHOOK_EVENTS.some((one) => events.includes(one) !== before.includes(one));
  const submit = async () => {
    const address = readAddress(url);
    const found = {
      ...(address === null ? { url: TEXT.addressInvalid } : {}),
      ...(events.length === 0 ? { events: TEXT.nothing } : {}),
    };
    setFault(found);
    if (address === null || events.length === 0) return;
    const wish = { url: address, events };
    try {
      if (webhook === null) onCreated?.(await create.mutateAsync(wish));
      else {
        await change.mutateAsync({ ...wish, id: webhook.id, enabled: webhook.off_at === null });
        toast.success(TEXT.saved);
      }
      onClose();
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.saveFailed));
    }
  };
  return (
    <FormDialog
      open={open}
      title={webhook === null ? TEXT.addTitle : TEXT.editTitle}
      dirty={url !== (webhook?.url ?? '') || isMarkedOtherwise}
      discard={TEXT.discard}
      saving={create.isPending || change.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={TEXT.address}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder={TEXT.addressPlaceholder}
        hint={TEXT.addressHint}
        value={url}
        error={fault.url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <fieldset className="flex flex-col">
        <legend className="mb-2 text-base font-medium text-ink">{TEXT.events}</legend>
        {WEBHOOK_EVENTS.map((name) => (
          <label
            key={name}
            className="flex min-h-8 items-start gap-2.5 py-1 text-base text-ink pointer-coarse:min-h-11 pointer-coarse:py-2.5"
          >
            <input
              type="checkbox"
              checked={events.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            {nameEvent(name)}
          </label>
        ))}
        {fault.events ? (
          <p role="alert" className="text-sm text-danger-text">
            {fault.events}
          </p>
        ) : null}
      </fieldset>
    </FormDialog>
  );
}

/** The address as the service takes it: names and paths in the network's spelling. null where it is none. */
function readAddress(text: string): string | null {
  const address = URL.parse(text.trim());
  if (address?.protocol !== 'https:') return null;
  address.hash = '';
  return address.href;
}
