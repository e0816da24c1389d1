import { Copy } from 'lucide-react';
import { Button } from '../../../../shared/ui/button.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';

/** The secret as text, in groups of four that can be read aloud, and copied as it is. */
export function AppKey({ secret }: { readonly secret: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast.success(TEXT.keyCopied);
    } catch {
      toast.error(TEXT.copyFailed);
    }
  };
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm text-ink-soft">{TEXT.keyLabel}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 basis-48 font-mono text-sm text-ink">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
        <Button size="small" onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          {TEXT.copyKey}
        </Button>
      </div>
    </div>
  );
}
