import { TAG_MESSAGES as TEXT } from '@linkoteca/domain/messages/tag-messages';
import { CloudOff, Tag as TagIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTags } from '../../features/tags/api/list-tags.ts';
import { TagList } from '../../features/tags/components/tag-list.tsx';
import type { Tag } from '../../features/tags/model/tag-rows.ts';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useIdlePreload } from '../../shared/lib/browser/use-idle-preload.ts';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { useLastRequest } from '../../shared/lib/writes/use-last-request.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { LoadError } from '../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../shared/ui/visually-hidden.tsx';
import { useTagActs } from '../organiser/tags/use-tag-acts.ts';
import { PageBody } from './page-body.tsx';

const loadMergeDialog = () => import('../../features/tags/components/merge-dialog.tsx');
const MergeDialog = lazyPart(loadMergeDialog, (module) => module.MergeDialog);

const NONE: readonly Tag[] = [];

/** /tags: a person's tags, how often they are used, and what can be done with them. */
export function TagsPage() {
  useDocumentTitle(TEXT.title);
  useIdlePreload(loadMergeDialog);
  const query = useTags();
  const tags = query.data ?? NONE;
  const acts = useTagActs(tags);
  const [merging, setMerging] = useState<Tag | null>(null);
  const merge = useLastRequest(merging);
  return (
    <PageBody title={TEXT.title} lead={TEXT.lead}>
      {query.data === undefined ? (
        <NoTags failed={query.isError} onRetry={() => void query.refetch()} />
      ) : tags.length === 0 ? (
        <EmptyState icon={<TagIcon aria-hidden />} title={TEXT.empty} description={TEXT.emptyHint} />
      ) : (
        <TagList
          tags={tags}
          onMerge={setMerging}
          onRename={acts.rename}
          onPaint={(tag, color) => void acts.paint(tag, color)}
          onDelete={(tag) => void acts.remove(tag)}
        />
      )}
      {merge ? (
        <Suspense>
          <MergeDialog
            key={merge.key}
            open={merge.open}
            tag={merge.request}
            tags={tags}
            onClose={() => setMerging(null)}
            onPick={(target) => void acts.merge(merge.request, target)}
          />
        </Suspense>
      ) : null}
    </PageBody>
  );
}

/** Stands there until the list has come. */
function NoTags({ failed, onRetry }: { readonly failed: boolean; readonly onRetry: () => void }) {
  const online = useOnline();
  if (!online)
    return <EmptyState icon={<CloudOff aria-hidden />} title={TEXT.offline} description={TEXT.offlineHint} />;
  if (!failed) return <TagsSkeleton />;
  return <LoadError title={TEXT.loadFailed} description={TEXT.loadFailedWhy} onRetry={onRetry} />;
}

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** The shape of the rows that come. */
function TagsSkeleton() {
  return (
    <div aria-busy="true">
      <VisuallyHidden>
        <span role="status">Carregando...</span>
      </VisuallyHidden>
      <div className="mt-8 overflow-clip rounded-lg border border-line bg-surface">
        {PLACES.map((place) => (
          <div key={place} className="flex h-11 items-center gap-3 border-b border-line px-3 last:border-b-0">
            <Skeleton className="size-3.5" />
            <Skeleton className="h-3.5 w-40" />
          </div>
        ))}
      </div>
    </div>
  );
}
