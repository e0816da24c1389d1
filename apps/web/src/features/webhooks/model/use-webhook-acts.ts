import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import {
  useChangeWebhook,
  useDeleteWebhook,
  useRestoreWebhook,
  useRotateSecret,
  useTestWebhook,
  type Webhook,
} from '../api/webhooks.ts';
import { WEBHOOK_MESSAGES as TEXT } from './webhook-messages.ts';

/** What a person does with a webhook, each with its word afterwards. None of them throws. */
export function useWebhookActs(webhook: Webhook) {
  const change = useChangeWebhook();
  const removal = useDeleteWebhook();
  const restoration = useRestoreWebhook();
  const rotation = useRotateSecret();
  const trial = useTestWebhook();

  async function attempt<Answer>(act: () => Promise<Answer>, failed: string): Promise<Answer | null> {
    try {
      return await act();
    } catch (error) {
      toast.error(describeRefusal(error, failed));
      return null;
    }
  }
  const restore = () =>
    attempt(async () => {
      await restoration.mutateAsync(webhook.id);
      toast.success(TEXT.restored);
    }, TEXT.restoreFailed);
  return {
    testing: trial.isPending,
    rotating: rotation.isPending,
    test: () =>
      attempt(async () => {
        await trial.mutateAsync(webhook.id);
        toast.success(TEXT.tested, TEXT.testedWhy);
      }, TEXT.testFailed),
    /** @returns the new secret; null where there is none. */
    rotate: () => attempt(() => rotation.mutateAsync(webhook.id), TEXT.rotateFailed),
    turn: (enabled: boolean) =>
      attempt(async () => {
        const { id, url, events } = webhook;
        await change.mutateAsync({ id, url, events, enabled });
        toast.success(enabled ? TEXT.turnedOn : TEXT.turnedOff);
      }, TEXT.saveFailed),
    /** @param pressed what has the keyboard, which goes with the webhook. */
    remove: (pressed: Element | null) =>
      followWithUndo(
        attempt(async () => {
          await removal.mutateAsync(webhook.id);
          focusHeading('webhooks', pressed);
        }, TEXT.removeFailed),
        { describe: () => TEXT.removed, undo: () => void restore() },
      ),
  };
}
