import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/messages/public-page-messages';
import { Link2 } from 'lucide-react';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { LinkMenu } from '../../features/links/components/link-menu.tsx';
import type { LinkView } from '../../features/links/components/link-toolbar.tsx';
import { LinksError } from '../../features/links/components/links-error.tsx';
import { LinksSkeleton } from '../../features/links/components/links-skeleton.tsx';
import { useScrollMemory } from '../../features/links/components/use-scroll-memory.ts';
import { VirtualLinks } from '../../features/links/components/virtual-links.tsx';
import { useFocusedLink } from '../../features/links/model/use-focused-link.ts';
import { useSharedLinks } from '../../features/sharing/api/list-shared-links.ts';
import { copyLink } from '../../shared/lib/browser/copy-link.ts';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useStoredChoice } from '../../shared/lib/browser/use-stored-choice.ts';
import type { Link } from '../../shared/lib/rows.ts';
import { useLastRequest } from '../../shared/lib/writes/use-last-request.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';

const LinkInfoDialog = lazyPart(
  () => import('../../features/links/components/link-info-dialog.tsx'),
  (module) => module.LinkInfoDialog,
);

interface SharedLinksProps {
  readonly category: { readonly id: string; readonly name: string; readonly linkCount: number };
  readonly view: LinkView;
}

/** The links of a shared category, to open, copy and read about. */
export function SharedLinks({ category, view }: SharedLinksProps) {
  const query = useSharedLinks(category.id);
  const links = useMemo(() => query.data?.pages.flatMap((page) => page.links) ?? [], [query.data]);
  const focused = useFocusedLink(links);
  const startOffset = useScrollMemory(`shared-${category.id}`, links.length > 0);
  const [menu, setMenu] = useState<{ readonly anchor: Element | null; readonly link: Link } | null>(null);
  const [info, setInfo] = useState<Link | null>(null);
  const shownInfo = useLastRequest(info);
  const openMenu = useCallback((anchor: Element, link: Link) => setMenu({ anchor, link }), []);

  if (query.isPending) return <LinksSkeleton view={view} />;
  if (query.isLoadingError) return <LinksError onRetry={() => void query.refetch()} />;
  const loadMore = () => {
    if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
  };
  return (
    <>
      {links.length === 0 ? (
        <EmptyState
          icon={<Link2 aria-hidden />}
          title={LINK_MESSAGES.noneInCategory}
          description={PUBLIC_PAGE_MESSAGES.emptyHint}
        />
      ) : (
        <VirtualLinks
          links={links}
          focused={focused}
          selection={null}
          commands={{
            openMenu,
            edit: null,
            info: setInfo,
            copy: (link) => void copyLink(link.url),
            remove: null,
          }}
          total={Math.max(category.linkCount, links.length)}
          view={view}
          startOffset={startOffset}
          menuLinkId={menu?.anchor ? menu.link.id : null}
          onNearEnd={loadMore}
        />
      )}
      {query.isFetchNextPageError ? (
        <LinksError onRetry={() => void query.fetchNextPage()} />
      ) : query.hasNextPage ? (
        <p role="status" className="py-6 text-center text-sm text-ink-faint">
          Carregando mais links...
        </p>
      ) : null}
      <LinkMenu
        anchor={menu?.anchor ?? null}
        link={menu?.link ?? null}
        onEdit={null}
        onMove={null}
        onInfo={setInfo}
        onDelete={null}
        onClose={() => setMenu((last) => last && { ...last, anchor: null })}
      />
      {shownInfo ? (
        <Suspense>
          <LinkInfoDialog
            key={shownInfo.key}
            open={shownInfo.open}
            link={shownInfo.request}
            categoryName={category.name}
            onClose={() => setInfo(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

const VIEWS: readonly [LinkView, ...LinkView[]] = ['grid', 'list'];

/** Cards or rows, as the person chose last, here or in their own categories. */
export function useLinkView() {
  return useStoredChoice<LinkView>('linkoteca-link-view', VIEWS);
}
