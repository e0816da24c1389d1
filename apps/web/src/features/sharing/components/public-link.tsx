import { type AddressedCategory, sharedPath } from '@linkoteca/domain/sharing';
import { usePageLimits } from '../api/page-limits.ts';
import { useIsSavingSharing } from '../api/save-sharing.ts';
import { describePageEnd, PAGE_LIMIT_MESSAGES } from '../model/page-limit-messages.ts';
import { PageAddress } from './page-address.tsx';

/** The readable address of a public category, to look at and to copy; not before it works. */
export function PublicLink({ category }: { readonly category: AddressedCategory }) {
  const saving = useIsSavingSharing();
  const { ends_at: end = null, has_password: hasPassword } = usePageLimits(category.id).data ?? {};
  const now = new Date();
  const limits = [
    ...(hasPassword ? [PAGE_LIMIT_MESSAGES.withPassword] : []),
    ...(end === null ? [] : [describePageEnd(new Date(end), now)]),
  ];
  return (
    <div className="mt-0.5 flex max-w-full flex-wrap items-center gap-x-2 text-sm">
      <PageAddress path={sharedPath(category)} busy={saving} />
      {limits.length === 0 ? null : (
        <span className={end !== null && new Date(end) <= now ? 'text-warning-text' : 'text-ink-faint'}>
          {limits.join(' · ')}
        </span>
      )}
    </div>
  );
}
