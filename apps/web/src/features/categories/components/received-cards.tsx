import { describeReceivedLock } from '@linkoteca/domain/messages/plan-messages';
import { describeOwner } from '@linkoteca/domain/messages/sharing-messages';
import { Lock, Users } from 'lucide-react';
import type { MouseEvent } from 'react';
import { lockProps } from '../../../shared/ui/plan-lock.tsx';
import type { ReceivedShare } from '../api/list-received-shares.ts';

interface ReceivedCardsProps {
  readonly shares: readonly ReceivedShare[];
  /** The plan does not open it. */
  readonly isLimited: (categoryId: string) => boolean;
  readonly onOpen: (categoryId: string) => void;
}

/** 'Compartilhados com você': what others share, on the page at which somebody arrives who was invited. */
export function ReceivedCards({ shares, isLimited, onOpen }: ReceivedCardsProps) {
  if (shares.length === 0) return null;
  const open = (categoryId: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(categoryId);
  };
  return (
    <section aria-labelledby="received-shares" className="mt-7">
      <h2 id="received-shares" className="text-lg font-semibold">
        Compartilhados com você
      </h2>
      <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3">
        {shares.map((share) => {
          const Icon = isLimited(share.id) ? Lock : Users;
          return (
            <li key={share.id}>
              <a
                href={`/category/${share.id}`}
                onClick={open(share.id)}
                {...lockProps(isLimited(share.id) ? describeReceivedLock() : null)}
                className="flex h-full flex-col rounded-lg border border-line bg-surface p-4 transition-colors hover:border-edge-soft"
              >
                <span className="flex items-center gap-2.5">
                  <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
                  <span className="truncate font-medium" title={share.name}>
                    {share.name}
                  </span>
                </span>
                <span className="mt-1.5 line-clamp-2 text-sm break-words text-ink-soft empty:hidden">
                  {share.description}
                </span>
                <span className="mt-auto truncate pt-2.5 text-xs text-ink-faint">
                  {describeOwner(share.ownerName)}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
