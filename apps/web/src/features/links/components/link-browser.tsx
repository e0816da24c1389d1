import { ARRANGEABLE_FROM } from '@linkoteca/domain/limits';
import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { describeFullPlan } from '@linkoteca/domain/messages/plan-messages';
import { CloudOff, Link2, Plus } from 'lucide-react';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { useShortcut } from '../../../shared/lib/browser/use-shortcut.ts';
import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { useDragSource } from '../../../shared/lib/drag-and-drop/use-drag-source.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { useLinks } from '../api/list-links.ts';
import { arrangeLinks, needsWholeList } from '../model/arrange-links.ts';
import { PLACE_KEY, pickLinkDrag } from '../model/link-drag.ts';
import { flattenLinks } from '../model/link-pages.ts';
import { LINK_VIEW_KEY, LINK_VIEWS, viewAfter } from '../model/link-view.ts';
import { useArrangement } from '../model/use-arrangement.ts';
import { useFilterField } from '../model/use-filter-field.ts';
import { useFocusedLink } from '../model/use-focused-link.ts';
import { useLinkSelection } from '../model/use-link-selection.ts';
import { useShownLink } from '../model/use-shown-link.ts';
import { type LinkDialogRequest, LinkDialogs } from './form/link-dialogs.tsx';
import type { LinkBrowserProps } from './link-browser-props.ts';
import { LinkToolbar } from './link-toolbar.tsx';
import { LinksError } from './links-error.tsx';
import { LinksSkeleton } from './links-skeleton.tsx';
import { NothingFits } from './nothing-fits.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useLinkActs } from './use-link-acts.ts';
import { useScrollMemory } from './use-scroll-memory.ts';
import { useSelectionAnnouncements } from './use-selection-announcements.ts';
import { VirtualLinks } from './virtual-links.tsx';

const loadMenu = () => import('./link-menu.tsx');
const LinkMenu = lazyPart(loadMenu, (module) => module.LinkMenu);

const loadBar = () => import('./arrangement-bar.tsx');
const ArrangementBar = lazyPart(loadBar, (module) => module.ArrangementBar);
// On its way beside the links, which it stands above.
void loadBar().catch(() => undefined);
const loadOrdering = () => import('./ordering/link-ordering.tsx');
const LinkOrdering = lazyPart(loadOrdering, (module) => module.LinkOrdering);

const loadCovers = () => import('./covers/covers.ts');
const CoverMenuItems = lazyPart(loadCovers, (module) => module.CoverMenuItems);
const CoverLinks = lazyPart(
  () => {
    // There when a menu opens, which would grow below the hand.
    void CoverMenuItems.preload().catch(() => undefined);
    return loadCovers();
  },
  (module) => module.CoverLinks,
);

/** The links of one category: cards or rows, selection, and the dialogs of a link. */
export function LinkBrowser(props: LinkBrowserProps) {
  const { category, header, readOnly, isOwn, order } = props;
  const { arrangement, setOrder, setFilter } = useArrangement(order, props.shown?.choice);
  const read = arrangement.order === 'manual' ? 'manual' : 'newest';
  const query = useLinks(category.id, read === 'manual');
  const loaded = useMemo(() => (query.data ? flattenLinks(query.data) : []), [query.data]);
  const namesOf = props.tagging?.namesOf;
  const links = useMemo(
    () => arrangeLinks(loaded, arrangement, read, namesOf),
    [loaded, arrangement, read, namesOf],
  );
  // More links may belong here than are loaded: reading on has to go on by itself.
  const needsWhole = needsWholeList(arrangement, read);
  const [view, setView] = useStoredChoice(LINK_VIEW_KEY, LINK_VIEWS);
  const userId = useUserId();
  const selection = useLinkSelection(links);
  useSelectionAnnouncements(selection.active, selection.ids.size);
  const focused = useFocusedLink(links);
  const startOffset = useScrollMemory(category.id, links.length > 0);
  const [menu, setMenu] = useState<{ readonly anchor: Element | null; readonly link: Link } | null>(null);
  const [request, setRequest] = useState<LinkDialogRequest | null>(null);

  useIdlePreload(loadMenu);

  const { onEditing } = props;
  const editing = request?.kind === 'edit';
  useEffect(() => onEditing(editing), [onEditing, editing]);

  const add = readOnly ? null : props.onAdd;
  const openMenu = useCallback((anchor: Element, link: Link) => setMenu({ anchor, link }), []);
  const acts = useLinkActs({
    links,
    selection,
    focused,
    readOnly,
    openMenu,
    ask: setRequest,
    onMove: props.onMove,
    onTag: props.tagging?.own?.ask ?? null,
  });
  const container = useRef<HTMLDivElement>(null);
  useDragSource(
    container,
    // To places of one's own: others' links stay where they are.
    readOnly || !isOwn
      ? null
      : (target) =>
          pickLinkDrag(target, {
            categoryId: category.id,
            links,
            selectedIds: selection.ids,
            // Within the list they stay in sight.
            onDropped: (ids, key) =>
              key.startsWith(PLACE_KEY) ? selection.leave() : focused.handOver(ids, selection.leave),
          }),
  );
  const online = useOnline();
  const idle = online && query.hasNextPage && !query.isFetching && !query.isFetchNextPageError;
  const loadMore = () => {
    if (idle) void query.fetchNextPage();
  };

  // Who deletes or moves all that is loaded leaves no list whose end could come near.
  const awaitsMore = links.length === 0 && query.hasNextPage && !query.isFetchNextPageError;
  const awaitsFirst = online && links.length === 0 && query.isPending && category.linkCount !== 0;
  const [picksWhole, setPicksWhole] = useState(false);
  useEffect(() => {
    if (awaitsMore || needsWhole || picksWhole) loadMore();
  });
  // What is picked stays picked where the rest cannot be read.
  const { active: selecting, pickAll } = selection;
  const ended = !query.hasNextPage || query.isFetchNextPageError || !online || !selecting;
  useEffect(() => {
    if (!picksWhole || !ended) return;
    setPicksWhole(false);
    if (selecting) pickAll();
  }, [picksWhole, ended, selecting, pickAll]);

  const total = arrangement.filter === '' ? Math.max(category.linkCount ?? 0, links.length) : links.length;
  const filterField = useFilterField();
  useIdlePreload(LinkOrdering.preload);
  const arrangeable = (category.linkCount ?? loaded.length) >= ARRANGEABLE_FROM || needsWhole || order.on;
  const place = arrangement.order === 'manual' ? order.place : null;
  const ordered = { shown: links, loaded, whole: !query.hasNextPage };

  const list = {
    links,
    focused,
    selection: readOnly ? null : selection,
    commands: acts.commands,
    stars: props.stars,
    tagging: props.tagging,
    total,
    startOffset,
    menuLinkId: menu?.anchor ? menu.link.id : null,
    onNearEnd: loadMore,
  };

  useShownLink(props.shown, focused, { links, loadMore: idle ? loadMore : null });
  useShortcut('n', add);
  useShortcut('f', arrangeable ? filterField.focus : null);
  useShortcut('v', () => setView(viewAfter(view)));

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {header}
        <div className="flex flex-col gap-2 max-md:w-full md:items-end">
          {arrangeable ? (
            <Suspense fallback={<div className="h-8 pointer-coarse:h-11" />}>
              <ArrangementBar
                arrangement={arrangement}
                ownOrder={order.set ? 'Minha ordem' : order.on ? 'Ordem da categoria' : null}
                onOrder={setOrder}
                onFilter={setFilter}
                fieldRef={filterField.ref}
              />
            </Suspense>
          ) : null}
          <LinkToolbar
            view={view}
            onView={setView}
            onSelect={readOnly || (links.length === 0 && !awaitsFirst) ? null : acts.toggleMode}
            awaitsLinks={awaitsFirst}
            onShare={props.onShare}
            shareLock={props.shareLock}
            shareMenu={props.shareMenu}
            onAdd={add}
            addLock={describeFullPlan('maxLinks', props.allowance)}
            covered={selection.active}
          />
        </div>
      </div>
      {selection.active ? (
        <SelectionBar
          count={selection.ids.size}
          all={links.length > 0 && selection.ids.size === links.length}
          onToggleAll={selection.toggleAll}
          whole={query.hasNextPage && online && total > links.length ? total : null}
          onPickWhole={() => setPicksWhole(true)}
          picksWhole={picksWhole}
          onMove={acts.moveSelected}
          onTag={acts.tagSelected}
          onDelete={acts.removeSelected}
          onLeave={acts.leaveMode}
        />
      ) : null}
      <div
        ref={container}
        className={joinClassNames(
          'relative mt-5 pb-20',
          // A resting finger picks a link up; the browser must neither select its text nor show its own menu.
          !readOnly && isOwn && 'pointer-coarse:select-none [-webkit-touch-callout:none]',
        )}
      >
        {query.isPending ? online ? <LinksSkeleton view={view} /> : <NotKept /> : null}
        {awaitsMore && online ? <LinksSkeleton view={view} /> : null}
        {query.isLoadingError ? <LinksError onRetry={() => void query.refetch()} /> : null}
        {query.isSuccess && links.length === 0 && !query.hasNextPage ? (
          loaded.length > 0 ? (
            <NothingFits filter={arrangement.filter} onClear={() => setFilter('')} />
          ) : (
            <NoLinks onAdd={add} />
          )
        ) : null}
        {links.length > 0 ? (
          view === 'covers' ? (
            <Suspense fallback={<LinksSkeleton view={view} />}>
              <CoverLinks {...list} categoryId={category.id} ownerId={isOwn ? userId : null} />
            </Suspense>
          ) : (
            <VirtualLinks {...list} view={view} />
          )
        ) : null}
        {place && links.length > 1 ? (
          <Suspense>
            <LinkOrdering
              {...ordered}
              categoryId={category.id}
              view={view}
              container={container}
              focused={focused}
              place={place}
            />
          </Suspense>
        ) : null}
        {query.isFetchNextPageError ? (
          <LinksError onRetry={() => void query.fetchNextPage()} />
        ) : query.hasNextPage && !(awaitsMore && online) ? (
          <p role="status" className="py-6 text-center text-sm text-ink-faint">
            {online ? 'Carregando mais links...' : OFFLINE_MESSAGES.linksNotKept}
          </p>
        ) : null}
      </div>
      {menu ? (
        <Suspense>
          <LinkMenu
            {...menu}
            onEdit={acts.commands.edit}
            onMove={acts.moveOne}
            onTag={acts.tagOne}
            onInfo={acts.commands.info}
            stars={props.stars}
            order={{
              ...ordered,
              begin: !order.on && order.set && loaded.length > 1 ? () => setOrder('manual') : null,
              place,
            }}
            covers={
              view === 'covers' && isOwn ? (
                <Suspense>
                  <CoverMenuItems link={menu.link} ownerId={userId} />
                </Suspense>
              ) : null
            }
            onDelete={acts.removeOne}
            onClose={() => setMenu((last) => last && { ...last, anchor: null })}
          />
        </Suspense>
      ) : null}
      <LinkDialogs
        {...props}
        request={request}
        onDeleted={acts.letGo}
        focusAfterDeletion={focused.element}
        onClosed={() => setRequest(null)}
      />
    </>
  );
}

/** Without network, a category that was not opened on this device before. */
function NotKept() {
  const { title, description } = OFFLINE_MESSAGES.categoryNotKept;
  return <EmptyState icon={<CloudOff aria-hidden />} title={title} description={description} />;
}

function NoLinks({ onAdd }: { readonly onAdd: (() => void) | null }) {
  return (
    <EmptyState
      icon={<Link2 aria-hidden />}
      title={LINK_MESSAGES.noneInCategory}
      description={onAdd ? 'Cole um endereço em qualquer lugar desta página' : undefined}
      action={
        onAdd ? (
          <Button variant="secondary" icon={<Plus aria-hidden />} onClick={onAdd}>
            Adicionar o primeiro link
          </Button>
        ) : null
      }
    />
  );
}
