import { formatDate } from '@linkoteca/domain/dates';
import { formatCount } from '@linkoteca/domain/formats';
import { ACCESS_MESSAGES } from '@linkoteca/domain/messages/access-messages';
import { describeSharedBy } from '@linkoteca/domain/messages/sharing-messages';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../shared/ui/badge.tsx';
import type { ViewedCategory } from '../api/read-shared-category.ts';

interface SharedHeaderProps {
  readonly category: ViewedCategory;
  /** What can be done with it; stands beside the name, on phones below it. */
  readonly actions: ReactNode;
}

/** Name, description and owner of a category that somebody shares. */
export function SharedHeader({ category, actions }: SharedHeaderProps) {
  const { name, description, ownerName, linkCount, updatedAt, standing } = category;
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 flex-1 basis-72">
        <h1 dir="auto" className="text-2xl font-semibold tracking-tight break-words">
          {name}
        </h1>
        {description ? (
          <p
            dir="auto"
            className="mt-2 max-w-prose text-lg leading-relaxed break-words whitespace-pre-line text-ink-soft"
          >
            {description}
          </p>
        ) : null}
        <div className="mt-3 flex flex-wrap items-center gap-2 text-sm text-ink-faint">
          <bdi>{describeSharedBy(ownerName)}</bdi>
          <span aria-hidden>·</span>
          <span className="tabular-nums">{formatCount(linkCount, 'link', 'links')}</span>
          {updatedAt === null ? null : (
            <>
              <span aria-hidden>·</span>
              <time dateTime={updatedAt} className="tabular-nums">
                {`Atualizada em ${formatDate(updatedAt)}`}
              </time>
            </>
          )}
          {standing === 'invited' ? (
            <Badge tone="neutral">
              <Lock aria-hidden />
              {ACCESS_MESSAGES.restricted}
            </Badge>
          ) : null}
        </div>
      </div>
      <div data-print="hide" className="flex shrink-0 flex-wrap items-center gap-2">
        {actions}
      </div>
    </div>
  );
}
