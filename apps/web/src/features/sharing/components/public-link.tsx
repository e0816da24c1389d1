import { SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { sharedLink } from '@linkoteca/domain/sharing';
import { Copy } from 'lucide-react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

/** The address of a public category, to look at and to copy. */
export function PublicLink({ categoryId }: { readonly categoryId: string }) {
  const link = sharedLink(window.location.origin, categoryId);
  return (
    <div className="mt-0.5 flex max-w-full items-center gap-1 text-sm">
      <a
        href={link}
        target="_blank"
        rel="noopener"
        title={link}
        className="min-w-0 truncate text-ink-soft underline decoration-edge-soft underline-offset-3 hover:text-ink"
      >
        {link.replace(/^https?:\/\//, '')}
      </a>
      <IconButton size="small" label={SHARING_WORDS.copy} onClick={() => void copyLink(link)}>
        <Copy aria-hidden />
      </IconButton>
    </div>
  );
}
