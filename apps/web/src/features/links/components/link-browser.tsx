import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { CloudOff, Link2, Plus } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { useShortcut } from '../../../shared/lib/browser/use-shortcut.ts';
import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { useDragSource } from '../../../shared/lib/drag-and-drop/use-drag-source.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useLinks } from '../api/list-links.ts';
import { pickLinkDrag } from '../model/link-drag.ts';
import { flattenLinks } from '../model/link-pages.ts';
import { useFocusedLink } from '../model/use-focused-link.ts';
import { useLinkSelection } from '../model/use-link-selection.ts';
import { useShownLink } from '../model/use-shown-link.ts';
import { type LinkDialogRequest, LinkDialogs } from './form/link-dialogs.tsx';
import type { LinkBrowserProps } from './link-browser-props.ts';
import { LinkMenu } from './link-menu.tsx';
import { LinkToolbar, type LinkView } from './link-toolbar.tsx';
import { LinksError } from './links-error.tsx';
import { LinksSkeleton } from './links-skeleton.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { LinkCommands } from './use-link-list.ts';
import { useScrollMemory } from './use-scroll-memory.ts';
import { useSelectionAnnouncements } from './use-selection-announcements.ts';
import { VirtualLinks } from './virtual-links.tsx';

const VIEWS: readonly [LinkView, ...LinkView[]] = ['grid', 'list'];

/** The links of one category: cards or rows, selection, and the dialogs of a link. */
export function LinkBrowser(props: LinkBrowserProps) {
  const { category, header, readOnly } = props;
  const query = useLinks(category.id);
  const links = useMemo(() => (query.data ? flattenLinks(query.data) : []), [query.data]);
  const [view, setView] = useStoredChoice<LinkView>('linkoteca-link-view', VIEWS);
  const selection = useLinkSelection(links);
  useSelectionAnnouncements(selection.active, selection.ids.size);
  const focused = useFocusedLink(links);
  const startOffset = useScrollMemory(category.id, links.length > 0);
  const [menu, setMenu] = useState<{ readonly anchor: Element | null; readonly link: Link } | null>(null);
  const [request, setRequest] = useState<LinkDialogRequest | null>(null);

  const { onEditing } = props;
  const editing = request?.kind === 'edit';
  useEffect(() => onEditing(editing), [onEditing, editing]);

  const add = readOnly ? null : props.onAdd;
  // Toolbar and selection bar take each other's place: their button goes with the press, and the keyboard to the links.
  const keepFocus = (act: () => void) => () => {
    flushSync(act);
    focused.restore();
  };
  const openMenu = useCallback((anchor: Element, link: Link) => setMenu({ anchor, link }), []);
  const deleteSelected = () => {
    const doomed = links.filter((link) => selection.ids.has(link.id));
    if (doomed.length === 0) toast.error(LINK_MESSAGES.noneSelected);
    else setRequest({ kind: 'delete', links: doomed, bulk: true });
  };
  const letGo = (ids: ReadonlySet<string>) => {
    focused.stepAside(ids);
    selection.leave();
  };
  const move = (moved: readonly Link[]) => {
    const ids = new Set(moved.map((link) => link.id));
    props.onMove({ links: moved, onMoved: () => letGo(ids), focusAfter: () => focused.element(ids) });
  };
  const moveSelected = () => {
    const chosen = links.filter((link) => selection.ids.has(link.id));
    if (chosen.length === 0) toast.error(LINK_MESSAGES.noneSelected);
    else move(chosen);
  };
  const moveFocused = () => {
    const at = document.activeElement?.closest<HTMLElement>('[data-link-id]')?.dataset['linkId'];
    const here = links.find((link) => link.id === at);
    if (selection.active) moveSelected();
    else if (here) move([here]);
  };
  const commands: LinkCommands = {
    openMenu,
    edit: readOnly ? null : (link) => setRequest({ kind: 'edit', link }),
    info: (link) => setRequest({ kind: 'info', link }),
    copy: (link) => void copyLink(link.url),
    remove: readOnly
      ? null
      : (link) =>
          selection.ids.size > 0
            ? deleteSelected()
            : setRequest({ kind: 'delete', links: [link], bulk: false }),
  };
  const list = useRef<HTMLDivElement>(null);
  useDragSource(
    list,
    readOnly
      ? null
      : (target) =>
          pickLinkDrag(target, {
            categoryId: category.id,
            links,
            selectedIds: selection.ids,
            onDropped: (ids) => focused.handOver(ids, selection.leave),
          }),
  );
  const online = useOnline();
  const idle = online && query.hasNextPage && !query.isFetching && !query.isFetchNextPageError;
  const loadMore = () => {
    if (idle) void query.fetchNextPage();
  };

  // Who deletes or moves all that is loaded leaves no list whose end could come near.
  const awaitsMore = links.length === 0 && query.hasNextPage && !query.isFetchNextPageError;
  useEffect(() => {
    if (awaitsMore) loadMore();
  });

  useShownLink(props.shown, focused, { links, loadMore: idle ? loadMore : null });
  useShortcut('n', add);
  useShortcut('v', () => setView(view === 'grid' ? 'list' : 'grid'));
  useShortcut('x', readOnly ? null : selection.active ? selection.leave : selection.start);
  useShortcut('m', readOnly ? null : moveFocused);
  useShortcut('escape', selection.active ? selection.leave : null);

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {header}
        <LinkToolbar
          view={view}
          onView={setView}
          onSelect={
            readOnly || links.length === 0
              ? null
              : keepFocus(selection.active ? selection.leave : selection.start)
          }
          onShare={readOnly ? null : props.onShare}
          shareMenu={props.shareMenu}
          onAdd={add}
          covered={selection.active}
        />
      </div>
      {selection.active ? (
        <SelectionBar
          count={selection.ids.size}
          all={links.length > 0 && selection.ids.size === links.length}
          onToggleAll={selection.toggleAll}
          onMove={moveSelected}
          onDelete={deleteSelected}
          onLeave={keepFocus(selection.leave)}
        />
      ) : null}
      <div
        ref={list}
        className={joinClassNames(
          'mt-5 pb-20',
          // A resting finger picks a link up; the browser must neither select its text nor show its own menu.
          !readOnly && 'pointer-coarse:select-none [-webkit-touch-callout:none]',
        )}
      >
        {query.isPending ? online ? <LinksSkeleton view={view} /> : <NotKept /> : null}
        {awaitsMore && online ? <LinksSkeleton view={view} /> : null}
        {query.isLoadingError ? <LinksError onRetry={() => void query.refetch()} /> : null}
        {query.isSuccess && links.length === 0 && !query.hasNextPage ? <NoLinks onAdd={add} /> : null}
        {links.length > 0 ? (
          <VirtualLinks
            links={links}
            focused={focused}
            selection={readOnly ? null : selection}
            commands={commands}
            total={Math.max(category.linkCount ?? 0, links.length)}
            view={view}
            startOffset={startOffset}
            menuLinkId={menu?.anchor ? menu.link.id : null}
            onNearEnd={loadMore}
          />
        ) : null}
        {query.isFetchNextPageError ? (
          <LinksError onRetry={() => void query.fetchNextPage()} />
        ) : query.hasNextPage && !(awaitsMore && online) ? (
          <p role="status" className="py-6 text-center text-sm text-ink-faint">
            {online ? 'Carregando mais links...' : OFFLINE_MESSAGES.linksNotKept}
          </p>
        ) : null}
      </div>
      <LinkMenu
        anchor={menu?.anchor ?? null}
        link={menu?.link ?? null}
        onEdit={commands.edit}
        onMove={readOnly ? null : (link) => move([link])}
        onInfo={commands.info}
        onDelete={readOnly ? null : (link) => setRequest({ kind: 'delete', links: [link], bulk: false })}
        onClose={() => setMenu((last) => last && { ...last, anchor: null })}
      />
      <LinkDialogs
        {...props}
        request={request}
        onDeleted={letGo}
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
