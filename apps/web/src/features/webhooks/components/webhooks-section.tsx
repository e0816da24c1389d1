import { useState } from 'react';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { useWebhooks } from '../api/webhooks.ts';
import { WEBHOOK_MESSAGES as TEXT } from '../model/webhook-messages.ts';
import { NewSecret, type ShownSecret } from './new-secret.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

/** The person's webhooks: what they are told, how they fare, and a way to add another. */
export function WebhooksSection() {
  const webhooks = useWebhooks();
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const hideSecret = () => {
    setSecret(null);
    focusHeading('webhooks', document.activeElement);
  };
  return (
    <section aria-labelledby="webhooks" className="flex max-w-prose flex-col gap-3">
      <div>
        <h2 id="webhooks" tabIndex={-1} className="text-lg font-semibold text-ink outline-none">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">
          {TEXT.lead}{' '}
          <a
            href="/api/v1/docs#webhooks"
            target="_blank"
            rel="noopener"
            className="text-accent-text underline underline-offset-2"
          >
            {TEXT.documentation}
          </a>
        </p>
      </div>
      {webhooks.data ? (
        webhooks.data.length === 0 ? (
          <p className="text-base text-ink-soft">{TEXT.none}</p>
        ) : (
          <ul className="border-t border-line">
            {webhooks.data.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onSecret={setSecret} />
            ))}
          </ul>
        )
      ) : webhooks.isError ? (
        <LoadError
          title={TEXT.loadFailed}
          description={TEXT.loadFailedWhy}
          onRetry={() => void webhooks.refetch()}
        />
      ) : (
        <Skeleton className="h-10 w-full" />
      )}
      {secret === null ? (
        <Button className="self-start max-md:self-stretch" onClick={() => setAdding(true)}>
          {TEXT.add}
        </Button>
      ) : (
        <NewSecret secret={secret} onHide={hideSecret} />
      )}
      <WebhookDialog
        open={adding}
        webhook={null}
        onClose={() => setAdding(false)}
        onCreated={(text) => setSecret({ text, rotated: false })}
      />
    </section>
  );
}
