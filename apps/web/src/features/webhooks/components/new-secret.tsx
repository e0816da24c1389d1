import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { WEBHOOK_MESSAGES as TEXT } from '../model/webhook-messages.ts';

export interface ShownSecret {
  readonly text: string;
  /** It took another's place, which goes on for a day. */
  readonly rotated: boolean;
}

interface NewSecretProps {
  readonly secret: ShownSecret;
  readonly onHide: () => void;
}

/** The only time that a webhook's secret is shown. */
export function NewSecret({ secret, onHide }: NewSecretProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret.text);
      toast.success(TEXT.copied);
    } catch {
      toast.error(TEXT.copyFailed);
    }
  };
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-accent-soft p-4">
      <div>
        <p className="text-base font-medium text-accent-text">{TEXT.secretTitle}</p>
        <p className="mt-1 text-sm text-ink-soft">
          {TEXT.secretWhy} {secret.rotated ? TEXT.rotatedWhy : null}
        </p>
      </div>
      <input
        readOnly
        aria-label={TEXT.secretLabel}
        value={secret.text}
        onFocus={(event) => event.target.select()}
        className="h-10 w-full rounded border border-edge bg-surface px-3 font-mono text-sm text-ink"
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void copy()}>
          {TEXT.copy}
        </Button>
        <Button onClick={onHide}>{TEXT.hide}</Button>
      </div>
    </div>
  );
}
