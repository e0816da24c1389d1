import { ARRANGEABLE_FROM } from '@linkoteca/domain/limits';
import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/messages/public-page-messages';
import { Link2 } from 'lucide-react';
import { type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ArrangementBar } from '../../features/links/components/arrangement-bar.tsx';
import { LinkMenu } from '../../features/links/components/link-menu.tsx';
import { LinksError } from '../../features/links/components/links-error.tsx';
import { LinksSkeleton } from '../../features/links/components/links-skeleton.tsx';
import { NothingFits } from '../../features/links/components/nothing-fits.tsx';
import { useScrollMemory } from '../../features/links/components/use-scroll-memory.ts';
import { VirtualLinks } from '../../features/links/components/virtual-links.tsx';
import { arrangeLinks, needsWholeList, recogniseOrder } from '../../features/links/model/arrange-links.ts';
import type { LinkTagging } from '../../features/links/model/link-tagging.ts';
import { LINK_VIEW_KEY, LINK_VIEWS, type LinkView } from '../../features/links/model/link-view.ts';
import { ORDER_MESSAGES } from '../../features/links/model/ordering/order-messages.ts';
import { useArrangement } from '../../features/links/model/use-arrangement.ts';
import { useFocusedLink } from '../../features/links/model/use-focused-link.ts';
import { useSharedLinks } from '../../features/sharing/api/list-shared-links.ts';
import { copyLink } from '../../shared/lib/browser/copy-link.ts';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useShortcut } from '../../shared/lib/browser/use-shortcut.ts';
import { useStoredChoice } from '../../shared/lib/browser/use-stored-choice.ts';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import type { Link } from '../../shared/lib/rows.ts';
import { useLastRequest } from '../../shared/lib/writes/use-last-request.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { TagNames } from '../../views/tag-names.tsx';

const LinkInfoDialog = lazyPart(
  () => import('../../features/links/components/link-info-dialog.tsx'),
  (module) => module.LinkInfoDialog,
);

const CoverLinks = lazyPart(
  () => import('../../features/links/components/covers/covers.ts'),
  (module) => module.CoverLinks,
);
/** Tags of somebody else's links are read, no more. */
const TAGGING: LinkTagging = {
  namesOf: ({ tag_names = [] }) => tag_names,
  renderChips: ({ tag_names }) => <TagNames names={tag_names} className="mt-2 overflow-hidden" />,
  own: null,
};

interface SharedLinksProps {
  readonly category: { readonly id: string; readonly name: string; readonly linkCount: number };
  readonly view: LinkView;
  /** They pressed 'Filtrar' before they came. */
  readonly cameToFilter: boolean;
}

/** The links of a shared category, to open, copy and read about; filtered and ordered, too, once all of them are read. */
export function SharedLinks({ category, view, cameToFilter }: SharedLinksProps) {
  const query = useSharedLinks(category.id);
  const online = useOnline();
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.links) ?? [], [query.data]);
  const read = useMemo(() => recogniseOrder(loaded), [loaded]);
  const ownOrder = { on: read === 'manual', set: null, place: null };
  const { arrangement, setOrder, setFilter } = useArrangement(ownOrder, undefined);
  const links = useMemo(
    () => arrangeLinks(loaded, arrangement, read, TAGGING.namesOf),
    [loaded, arrangement, read],
  );
  const needsWhole = needsWholeList(arrangement, read);
  const arrangeable = query.isSuccess && (category.linkCount >= ARRANGEABLE_FROM || needsWhole);
  const filterField = useFilterField(arrangeable, cameToFilter);
  const focused = useFocusedLink(links);
  const startOffset = useScrollMemory(`shared-${category.id}`, links.length > 0);
  const [menu, setMenu] = useState<{ readonly anchor: Element | null; readonly link: Link } | null>(null);
  const [info, setInfo] = useState<Link | null>(null);
  const shownInfo = useLastRequest(info);
  const openMenu = useCallback((anchor: Element, link: Link) => setMenu({ anchor, link }), []);

  const isIdle = online && query.hasNextPage && !query.isFetching && !query.isFetchNextPageError;
  const loadMore = () => {
    if (isIdle) void query.fetchNextPage();
  };
  useEffect(() => {
    if (needsWhole) loadMore();
  });

  const list = {
    links,
    focused,
    selection: null,
    commands: {
      openMenu,
      edit: null,
      info: setInfo,
      copy: (link: Link) => void copyLink(link.url),
      remove: null,
    },
    tagging: TAGGING,
    total: arrangement.filter === '' ? Math.max(category.linkCount, links.length) : links.length,
    startOffset,
    menuLinkId: menu?.anchor ? menu.link.id : null,
    onNearEnd: loadMore,
  };

  if (query.isPending) return <LinksSkeleton view={view} />;
  if (query.isLoadingError) return <LinksError onRetry={() => void query.refetch()} />;
  return (
    <>
      {arrangeable ? (
        <div data-print="hide" className="mb-4 md:ml-auto md:w-88">
          <ArrangementBar
            arrangement={arrangement}
            ownOrder={ownOrder.on ? ORDER_MESSAGES.received : null}
            onOrder={setOrder}
            onFilter={setFilter}
            fieldRef={filterField}
          />
        </div>
      ) : null}
      {links.length > 0 ? (
        view === 'covers' ? (
          <Suspense fallback={<LinksSkeleton view={view} />}>
            <CoverLinks {...list} categoryId={category.id} ownerId={null} />
          </Suspense>
        ) : (
          <VirtualLinks {...list} view={view} />
        )
      ) : query.hasNextPage ? null : loaded.length > 0 ? (
        <NothingFits filter={arrangement.filter} onClear={() => setFilter('')} />
      ) : (
        <EmptyState
          icon={<Link2 aria-hidden />}
          title={LINK_MESSAGES.noneInCategory}
          description={PUBLIC_PAGE_MESSAGES.emptyHint}
        />
      )}
      {query.isFetchNextPageError ? (
        <LinksError onRetry={() => void query.fetchNextPage()} />
      ) : query.hasNextPage ? (
        <p role="status" className="py-6 text-center text-sm text-ink-faint">
          {online ? 'Carregando mais links...' : OFFLINE_MESSAGES.linksNotKept}
        </p>
      ) : null}
      <LinkMenu
        anchor={menu?.anchor ?? null}
        link={menu?.link ?? null}
        onEdit={null}
        onMove={null}
        onTag={null}
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
            tags={TAGGING.namesOf(shownInfo.request)}
            onClose={() => setInfo(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** The field that filters, which F leads to, and the button of the server's own page. */
function useFilterField(isShown: boolean, cameToFilter: boolean): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const focus = () => field.current?.focus();
  useShortcut('f', isShown ? focus : null);
  const [leads] = useState(cameToFilter);
  useEffect(() => {
    if (leads && isShown) field.current?.focus();
  }, [leads, isShown]);
  return field;
}

/** Cards, rows or covers, as the person chose last, here or in their own categories. */
export function useLinkView() {
  return useStoredChoice(LINK_VIEW_KEY, LINK_VIEWS);
}
