import type { Link } from '@linkoteca/domain/entities';
import { LINK_MESSAGES } from '@linkoteca/domain/link-messages';
import { Link2, Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useShortcut } from '../../../shared/lib/use-shortcut.ts';
import { useStoredChoice } from '../../../shared/lib/use-stored-choice.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useLinks } from '../api/list-links.ts';
import { flattenLinks } from '../model/link-pages.ts';
import { useLinkSelection } from '../model/use-link-selection.ts';
import { usePastedUrl } from '../model/use-pasted-url.ts';
import type { LinkBrowserProps } from './link-browser-props.ts';
import { type LinkDialogRequest, LinkDialogs } from './link-dialogs.tsx';
import { LinkMenu } from './link-menu.tsx';
import { LinkToolbar, type LinkView } from './link-toolbar.tsx';
import { LinksError } from './links-error.tsx';
import { LinksSkeleton } from './links-skeleton.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { VirtualLinks } from './virtual-links.tsx';

const VIEWS: readonly [LinkView, ...LinkView[]] = ['grid', 'list'];

/** The links of one category: cards or rows, selection, and the dialogs of a link. */
export function LinkBrowser(props: LinkBrowserProps) {
  const { category, header, readOnly } = props;
  const query = useLinks(category.id);
  const links = useMemo(() => (query.data ? flattenLinks(query.data) : []), [query.data]);
  const [view, setView] = useStoredChoice<LinkView>('linkoteca-link-view', VIEWS);
  const selection = useLinkSelection(links);
  const [menu, setMenu] = useState<{ readonly anchor: Element | null; readonly link: Link } | null>(null);
  const [request, setRequest] = useState<LinkDialogRequest | null>(null);

  const add = (pastedUrl?: string) => {
    if (!readOnly) setRequest({ kind: 'add', pastedUrl });
  };
  const openMenu = useCallback((anchor: Element, link: Link) => setMenu({ anchor, link }), []);
  const deleteSelected = () => {
    const doomed = links.filter((link) => selection.ids.has(link.id));
    if (doomed.length === 0) toast.error(LINK_MESSAGES.noneSelected);
    else setRequest({ kind: 'delete', links: doomed, bulk: true });
  };
  const loadMore = () => {
    if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
  };

  usePastedUrl(add);
  useShortcut('n', readOnly ? null : () => add());
  useShortcut('v', () => setView(view === 'grid' ? 'list' : 'grid'));
  useShortcut('x', readOnly ? null : selection.active ? selection.leave : selection.start);
  useShortcut('escape', selection.active ? selection.leave : null);

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {header}
        {selection.active ? (
          <SelectionBar
            count={selection.ids.size}
            all={links.length > 0 && selection.ids.size === links.length}
            onToggleAll={selection.toggleAll}
            onDelete={deleteSelected}
            onLeave={selection.leave}
          />
        ) : (
          <LinkToolbar
            view={view}
            onView={setView}
            onSelect={readOnly || links.length === 0 ? null : selection.start}
            onAdd={readOnly ? null : () => add()}
          />
        )}
      </div>
      <div className="mt-5 pb-20">
        {query.isPending ? <LinksSkeleton view={view} /> : null}
        {query.isLoadingError ? <LinksError onRetry={() => void query.refetch()} /> : null}
        {query.isSuccess && links.length === 0 ? <NoLinks onAdd={readOnly ? null : () => add()} /> : null}
        {links.length > 0 ? (
          <VirtualLinks
            links={links}
            total={Math.max(category.linkCount ?? 0, links.length)}
            view={view}
            selecting={selection.active}
            selectedIds={selection.ids}
            menuLinkId={menu?.anchor ? menu.link.id : null}
            onToggle={selection.toggle}
            onMenu={openMenu}
            onNearEnd={loadMore}
          />
        ) : null}
        {query.isFetchNextPageError ? (
          <LinksError onRetry={() => void query.fetchNextPage()} />
        ) : query.hasNextPage ? (
          <p role="status" className="py-6 text-center text-sm text-ink-faint">
            Carregando mais links...
          </p>
        ) : null}
      </div>
      <LinkMenu
        anchor={menu?.anchor ?? null}
        link={menu?.link ?? null}
        onEdit={readOnly ? null : (link) => setRequest({ kind: 'edit', link })}
        onInfo={(link) => setRequest({ kind: 'info', link })}
        onDelete={readOnly ? null : (link) => setRequest({ kind: 'delete', links: [link], bulk: false })}
        onClose={() => setMenu((last) => last && { ...last, anchor: null })}
      />
      <LinkDialogs
        {...props}
        request={request}
        onDeleted={selection.leave}
        onClosed={() => setRequest(null)}
      />
    </>
  );
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
