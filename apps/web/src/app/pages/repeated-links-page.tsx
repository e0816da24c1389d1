import { CloudOff, CopyCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRepeatedLinks } from '../../features/repeated-links/api/list-repeated-links.ts';
import { RepeatedGroupCard } from '../../features/repeated-links/components/repeated-group-card.tsx';
import { RepeatedSkeleton } from '../../features/repeated-links/components/repeated-skeleton.tsx';
import type { RepeatedGroup } from '../../features/repeated-links/model/repeated-groups.ts';
import {
  describeAddresses,
  describeJoinAll,
  REPEATED_MESSAGES as TEXT,
} from '../../features/repeated-links/model/repeated-messages.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { LoadError } from '../../shared/ui/feedback/load-error.tsx';
import { useJoining } from '../organiser/repeated-links/use-joining.ts';
import { PageBody } from './page-body.tsx';

/** The service joins no more at once. */
const JOINED_AT_ONCE = 50;

/** /repetidos: addresses that are there more than once, to be joined. */
export function RepeatedLinksPage() {
  useDocumentTitle(TEXT.title);
  const repeated = useRepeatedLinks();
  const groups = repeated.data?.pages.flatMap((page) => page.groups) ?? [];
  return (
    <PageBody title={TEXT.title} lead={TEXT.lead}>
      {repeated.data === undefined ? (
        <NoList failed={repeated.isError} onRetry={() => void repeated.refetch()} />
      ) : groups.length === 0 && !repeated.hasNextPage ? (
        <EmptyState icon={<CopyCheck aria-hidden />} title={TEXT.empty} description={TEXT.emptyHint} />
      ) : (
        <>
          <Groups groups={groups} total={repeated.data.pages[0]?.total ?? groups.length} />
          {repeated.hasNextPage ? (
            <div className="mt-3 flex flex-col">
              <Button
                className="self-center"
                busy={repeated.isFetchingNextPage}
                onClick={() => void repeated.fetchNextPage()}
              >
                {TEXT.more}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </PageBody>
  );
}

function Groups({ groups, total }: { readonly groups: readonly RepeatedGroup[]; readonly total: number }) {
  const join = useJoining();
  const list = useRef<HTMLUListElement>(null);
  /** By address, where it is not the oldest. */
  const [kept, setKept] = useState<ReadonlyMap<string, string>>(new Map());
  const keptOf = ({ address, links }: RepeatedGroup) => {
    const chosen = links.find(({ id }) => id === kept.get(address));
    return (chosen ?? links[0])?.id ?? '';
  };
  const toJoin = (group: RepeatedGroup) => ({ group, keptId: keptOf(group) });
  const first = groups.slice(0, JOINED_AT_ONCE);
  const joinOne = (group: RepeatedGroup, at: number) => {
    // The button goes with its group: the keyboard goes to the next one's, else to the page.
    const next = list.current?.querySelectorAll(':scope > li')[at + 1 < groups.length ? at + 1 : at - 1];
    (next?.querySelector('button') ?? document.getElementById('page'))?.focus();
    void join([toJoin(group)]);
  };
  const joinAll = () => {
    document.getElementById('page')?.focus();
    void join(first.map(toJoin));
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-base font-medium tabular-nums">
          {describeAddresses(total)}
        </p>
        <Button onClick={joinAll}>{describeJoinAll(first.length)}</Button>
      </div>
      <p className="text-sm text-ink-soft">{TEXT.rest}</p>
      <ul ref={list} aria-label={TEXT.list} className="flex flex-col gap-3">
        {groups.map((group, at) => (
          <RepeatedGroupCard
            key={group.address}
            group={group}
            keptId={keptOf(group)}
            onKeep={(id) => setKept(new Map(kept).set(group.address, id))}
            onJoin={() => joinOne(group, at)}
          />
        ))}
      </ul>
    </div>
  );
}

/** Stands there until the list has come. */
function NoList({ failed, onRetry }: { readonly failed: boolean; readonly onRetry: () => void }) {
  const online = useOnline();
  if (!online)
    return <EmptyState icon={<CloudOff aria-hidden />} title={TEXT.offline} description={TEXT.offlineHint} />;
  if (!failed) return <RepeatedSkeleton />;
  return <LoadError title={TEXT.loadFailed} description={TEXT.loadFailedWhy} onRetry={onRetry} />;
}
