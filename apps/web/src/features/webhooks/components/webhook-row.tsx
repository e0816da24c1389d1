import { formatMoment } from '@linkoteca/domain/dates';
import { Ellipsis, KeyRound, Pencil, Power, Trash2, Webhook as WebhookIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import type { Webhook } from '../api/webhooks.ts';
import { useWebhookActs } from '../model/use-webhook-acts.ts';
import { describeWebhook, nameEvents, WEBHOOK_MESSAGES as TEXT } from '../model/webhook-messages.ts';
import type { ShownSecret } from './new-secret.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookLog } from './webhook-log.tsx';

interface WebhookRowProps {
  readonly webhook: Webhook;
  readonly onSecret: (secret: ShownSecret) => void;
}

/** One webhook: where it leads, how it fares, what can be done with it, and its log. */
export function WebhookRow({ webhook, onSecret }: WebhookRowProps) {
  const acts = useWebhookActs(webhook);
  const [menu, setMenu] = useState<Element | null>(null);
  const [asked, setAsked] = useState<'edit' | 'rotate' | null>(null);
  const [logOpen, setLogOpen] = useState(false);
  const addressId = useId();
  const logId = useId();
  const isOff = webhook.off_at !== null;
  const rotate = async () => {
    const text = await acts.rotate();
    setAsked(null);
    if (text !== null) onSecret({ text, rotated: true });
  };
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-start gap-3">
        <WebhookIcon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-faint" />
        <div className="min-w-0 flex-1 basis-48">
          <p id={addressId} className="text-base font-medium wrap-anywhere text-ink">
            {webhook.url}
          </p>
          <p className="text-sm text-ink-soft">{nameEvents(webhook.events)}</p>
          <p className={isBad(webhook) ? 'text-sm text-danger-text' : 'text-sm text-ink-faint'}>
            {describeWebhook(webhook, momentOf(webhook.failing_since), momentOf(webhook.delivered_at))}
          </p>
        </div>
        <div className="flex items-center gap-2">
          {isOff ? (
            <Button size="small" aria-describedby={addressId} onClick={() => void acts.turn(true)}>
              {TEXT.turnOn}
            </Button>
          ) : (
            <Button
              size="small"
              busy={acts.testing}
              busyLabel={TEXT.testing}
              aria-describedby={addressId}
              onClick={() => void acts.test()}
            >
              {TEXT.test}
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            aria-expanded={logOpen}
            aria-controls={logId}
            aria-describedby={addressId}
            onClick={() => setLogOpen(!logOpen)}
          >
            {TEXT.log}
          </Button>
          <IconButton
            size="small"
            label={TEXT.more}
            aria-describedby={addressId}
            aria-haspopup="menu"
            aria-expanded={menu !== null}
            onClick={(event) => setMenu(event.currentTarget)}
          >
            <Ellipsis aria-hidden />
          </IconButton>
        </div>
      </div>
      <div id={logId} hidden={!logOpen}>
        {logOpen ? <WebhookLog webhook={webhook} /> : null}
      </div>
      <AnchoredMenu anchor={menu} label={TEXT.more} onClose={() => setMenu(null)}>
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setAsked('edit')}>
          {TEXT.edit}
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => setAsked('rotate')}>
          {TEXT.rotate}
        </MenuItem>
        {isOff ? null : (
          <MenuItem icon={<Power aria-hidden />} onSelect={() => void acts.turn(false)}>
            {TEXT.turnOff}
          </MenuItem>
        )}
        <MenuItem tone="danger" icon={<Trash2 aria-hidden />} onSelect={() => void acts.remove(menu)}>
          {TEXT.remove}
        </MenuItem>
      </AnchoredMenu>
      <WebhookDialog open={asked === 'edit'} webhook={webhook} onClose={() => setAsked(null)} />
      <ConfirmDialog
        open={asked === 'rotate'}
        title={TEXT.rotateQuestion}
        description={TEXT.rotateWhy}
        confirmLabel={TEXT.rotate}
        tone="primary"
        busy={acts.rotating}
        busyLabel={TEXT.rotating}
        onCancel={() => setAsked(null)}
        onConfirm={() => void rotate()}
      />
    </li>
  );
}

const momentOf = (moment: string | null) =>
  moment === null ? null : formatMoment(new Date(moment), new Date());

function isBad({ off_reason, failing_since }: Webhook): boolean {
  return off_reason === null ? failing_since !== null : off_reason !== 'owner';
}
