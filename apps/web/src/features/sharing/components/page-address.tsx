import { SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { Copy } from 'lucide-react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface PageAddressProps {
  /** The path of a page that is there for everybody. */
  readonly path: string;
  /** Whether it may not be copied now: what it leads to is being changed. */
  readonly busy: boolean;
}

/** A public page's address, to look at and to copy. */
export function PageAddress({ path, busy }: PageAddressProps) {
  const link = `${window.location.origin}${path}`;
  return (
    <div className="flex max-w-full min-w-0 items-center gap-1">
      <a
        href={link}
        target="_blank"
        rel="noopener"
        title={link}
        className="flex h-8 min-w-0 items-center text-ink-soft underline decoration-edge-soft underline-offset-3 hover:text-ink pointer-coarse:h-11"
      >
        <span className="truncate">{link.replace(/^https?:\/\//, '')}</span>
      </a>
      <IconButton size="small" label={SHARING_WORDS.copy} disabled={busy} onClick={() => void copyLink(link)}>
        <Copy aria-hidden />
      </IconButton>
    </div>
  );
}
