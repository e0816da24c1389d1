import { SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { type AddressedCategory, sharedPath } from '@linkoteca/domain/sharing';
import { Copy } from 'lucide-react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { usePageLimits } from '../api/page-limits.ts';
import { useIsSavingSharing } from '../api/save-sharing.ts';
import { describePageEnd, PAGE_LIMIT_MESSAGES } from '../model/page-limit-messages.ts';

/** The readable address of a public category, to look at and to copy; not before it works. */
export function PublicLink({ category }: { readonly category: AddressedCategory }) {
  const saving = useIsSavingSharing();
  const link = `${window.location.origin}${sharedPath(category)}`;
  const { ends_at: end = null, has_password: hasPassword } = usePageLimits(category.id).data ?? {};
  const now = new Date();
  const limits = [
    ...(hasPassword ? [PAGE_LIMIT_MESSAGES.withPassword] : []),
    ...(end === null ? [] : [describePageEnd(new Date(end), now)]),
  ];
  return (
    <div className="mt-0.5 flex max-w-full flex-wrap items-center gap-x-2 text-sm">
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
        <IconButton
          size="small"
          label={SHARING_WORDS.copy}
          disabled={saving}
          onClick={() => void copyLink(link)}
        >
          <Copy aria-hidden />
        </IconButton>
      </div>
      {limits.length === 0 ? null : (
        <span className={end !== null && new Date(end) <= now ? 'text-warning-text' : 'text-ink-faint'}>
          {limits.join(' · ')}
        </span>
      )}
    </div>
  );
}
