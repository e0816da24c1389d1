import { type MouseEvent, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useLinkAllowance } from '../../features/account/api/usage.ts';
import { useBrokenLinks } from '../../features/link-checks/api/link-checks.ts';
import { BrokenNote } from '../../features/link-checks/components/broken-note.tsx';
import { type LinkDialogRequest, LinkDialogs } from '../../features/links/components/form/link-dialogs.tsx';
import { LinkMenuButton, SelectionTick, StarMark } from '../../features/links/components/link-items.tsx';
import { SelectButton } from '../../features/links/components/select-button.tsx';
import { SelectionBar } from '../../features/links/components/selection-bar.tsx';
import { useLinkActs } from '../../features/links/components/use-link-acts.ts';
import { useLinkList } from '../../features/links/components/use-link-list.ts';
import { useSelectionAnnouncements } from '../../features/links/components/use-selection-announcements.ts';
import type { LinkTagging } from '../../features/links/model/link-tagging.ts';
import { useFocusedLink } from '../../features/links/model/use-focused-link.ts';
import { useLinkSelection } from '../../features/links/model/use-link-selection.ts';
import { FoundLink } from '../../features/search/components/found-link.tsx';
import type { FoundList } from '../../features/search/components/search-page.tsx';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../shared/lib/browser/use-idle-preload.ts';
import type { FoundLink as Found, Link } from '../../shared/lib/rows.ts';
import type { Deletion } from '../../shared/lib/writes/deletion.ts';
import { useOrganiserDialogs } from './dialogs/organiser-dialogs-context.ts';
import { useStars } from './favorites/use-stars.ts';
import { useCategoryGroups } from './use-category-groups.ts';
import { useCreatePlace } from './use-create-place.ts';
import { useLibraryCounting } from './use-library-counting.ts';
import { useLinkDeletion } from './use-link-deletion.ts';

const loadMenu = () => import('../../features/links/components/link-menu.tsx');
const LinkMenu = lazyPart(loadMenu, (module) => module.LinkMenu);

const TaggingHost = lazyPart(
  () => import('./tags/tagging-host.tsx'),
  (module) => module.TaggingHost,
);

interface FoundLinksProps extends FoundList {
  /** Whether broken links were asked for: then each says what is wrong with it. */
  readonly tellsBroken: boolean;
}

const NO_IDS: readonly string[] = [];

/** A row without a description; pixels. */
const ROW_HEIGHT = 56;

/**
 * The results of a page, whatever categories they are in, with all that one can do with links. Arrows, Home and End go from
 * one to the next; Enter opens it, Tab reaches its category.
 */
export function FoundLinks(props: FoundLinksProps) {
  const { header, results, term, offset, placeholder, onEditing, tellsBroken } = props;
  const hidden = useHiddenLinks(results);
  const links = hidden.rest;
  const broken = useBrokenLinks(tellsBroken ? results.map(({ id }) => id) : NO_IDS);
  const selection = useLinkSelection(links);
  useSelectionAnnouncements(selection.active, selection.ids.size);
  const focused = useFocusedLink(links);
  const [menu, setMenu] = useState<{ readonly anchor: Element | null; readonly link: Link } | null>(null);
  const [request, setRequest] = useState<LinkDialogRequest | null>(null);
  const openMenu = useCallback((anchor: Element, link: Link) => setMenu({ anchor, link }), []);
  const ask = useOrganiserDialogs();
  const [tagging, setTagging] = useState<LinkTagging | null>(null);
  const acts = useLinkActs({
    links,
    selection,
    focused,
    readOnly: false,
    openMenu,
    ask: setRequest,
    // A moved link is found as before, in another category: it stays, and so does the keyboard.
    onMove: (move) =>
      ask({
        kind: 'move-links',
        move: { ...move, onMoved: selection.leave, focusAfter: () => focused.element() },
      }),
    onTag: tagging?.own?.ask ?? null,
  });
  const { ids, toggle } = useStars();
  const stars = { ids, toggle: (link: Link) => toggle({ kind: 'link', id: link.id, link }) };
  const list = useLinkList({ links, focused, selection, commands: acts.commands, stars }, 1, ROW_HEIGHT);
  const handlers = {
    ...list,
    // A press on another way than the link's own is for that, whatever is held.
    onClick: (event: MouseEvent<HTMLUListElement>) => {
      if (event.target instanceof Element && event.target.closest('[data-category], [data-archive]')) return;
      list.onClick(event);
    },
  };
  useIdlePreload(loadMenu);
  const editing = request?.kind === 'edit';
  useEffect(() => onEditing(editing), [onEditing, editing]);
  const noteOf = (link: Found, index: number) => {
    const known = broken.get(link.id);
    if (known === undefined) return null;
    return (
      <BrokenNote broken={known} url={link.url} tabStop={index === focused.index && !selection.active} />
    );
  };
  const menuLinkId = menu?.anchor ? menu.link.id : null;

  return (
    <>
      <Suspense>
        <TaggingHost received={null} onTagging={setTagging} />
      </Suspense>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        {header}
        <div className={selection.active ? 'md:invisible' : undefined}>
          <SelectButton pressed={selection.active} onPress={acts.toggleMode} />
        </div>
      </div>
      {selection.active ? (
        <SelectionBar
          count={selection.ids.size}
          all={links.length > 0 && selection.ids.size === links.length}
          onToggleAll={selection.toggleAll}
          whole={null}
          onPickWhole={selection.pickAll}
          picksWhole={false}
          onMove={acts.moveSelected}
          onTag={acts.tagSelected}
          onDelete={acts.removeSelected}
          onLeave={acts.leaveMode}
        />
      ) : null}
      {links.length === 0 ? (
        <div className="mt-5">{placeholder}</div>
      ) : (
        <ul
          ref={focused.list}
          aria-label="Links encontrados"
          {...handlers}
          data-selecting={selection.active || undefined}
          className="group/links mt-5 overflow-clip rounded-lg border border-line bg-surface [&>li+li]:border-t [&>li+li]:border-line"
        >
          {links.map((link, index) => (
            <li
              key={link.id}
              data-link-id={link.id}
              aria-setsize={-1}
              aria-posinset={offset + index + 1}
              className="scroll-my-20"
            >
              <FoundLink
                result={link}
                term={term}
                selecting={selection.active}
                selected={selection.ids.has(link.id)}
                tabStop={index === focused.index}
                mark={ids.has(link.id) ? <StarMark /> : null}
                tags={tagging?.renderChips(link)}
                note={noteOf(link, index)}
                tick={<SelectionTick selected={selection.ids.has(link.id)} />}
                menuButton={
                  <LinkMenuButton link={link} menuOpen={menuLinkId === link.id} className="relative" />
                }
              />
            </li>
          ))}
        </ul>
      )}
      {menu ? (
        <Suspense>
          <LinkMenu
            {...menu}
            onEdit={acts.commands.edit}
            onMove={acts.moveOne}
            onTag={acts.tagOne}
            onInfo={acts.commands.info}
            stars={stars}
            onDelete={acts.removeOne}
            onClose={() => setMenu((last) => last && { ...last, anchor: null })}
          />
        </Suspense>
      ) : null}
      <FoundLinkDialogs
        request={request}
        tagging={tagging}
        results={results}
        onDeleted={(gone) => {
          acts.letGo(gone);
          hidden.hide(gone);
        }}
        onBack={hidden.show}
        focusAfterDeletion={focused.element}
        onClosed={() => setRequest(null)}
      />
    </>
  );
}

interface FoundLinkDialogsProps {
  readonly request: LinkDialogRequest | null;
  readonly results: readonly Found[];
  readonly tagging: LinkTagging | null;
  readonly onDeleted: (ids: ReadonlySet<string>) => void;
  /** They were not deleted, or are on their way back. */
  readonly onBack: (ids: readonly string[]) => void;
  readonly focusAfterDeletion: (goneIds: ReadonlySet<string>) => HTMLElement | null;
  readonly onClosed: () => void;
}

/** The dialogs of a found link, with what they change in the library around it. */
function FoundLinkDialogs({ results, onBack, ...dialogs }: FoundLinkDialogsProps) {
  const { request } = dialogs;
  const followDeletion = useLinkDeletion();
  const about = request === null ? null : request.kind === 'delete' ? request.links[0] : request.link;
  const place = results.find(({ id }) => id === about?.id);
  const [category, setCategory] = useState({ id: '', name: '' });
  // The name stays while the dialog fades out.
  if (place && place.category_id !== category.id)
    setCategory({ id: place.category_id, name: place.category_name ?? '' });
  const remove = (deletion: Deletion) => {
    deletion.done.catch(() => onBack(deletion.ids));
    followDeletion({
      ...deletion,
      beginRestore: () => {
        onBack(deletion.ids);
        return deletion.beginRestore();
      },
    });
  };
  return (
    <LinkDialogs
      {...dialogs}
      category={category}
      groups={useCategoryGroups()}
      allowance={useLinkAllowance()}
      beginCountLinks={useLibraryCounting().links}
      createPlace={useCreatePlace()}
      onDelete={remove}
    />
  );
}

/** Results that are being deleted: hidden at once, until an answer of the search is without them. */
function useHiddenLinks(results: readonly Found[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set());
  useEffect(() => {
    const known = results.flatMap(({ id }) => (ids.has(id) ? [id] : []));
    if (known.length < ids.size) setIds(new Set(known));
  }, [results, ids]);
  return {
    rest: useMemo(
      () => (ids.size === 0 ? results : results.filter(({ id }) => !ids.has(id))),
      [results, ids],
    ),
    hide: (gone: ReadonlySet<string>) => setIds((before) => new Set([...before, ...gone])),
    show: (back: readonly string[]) =>
      setIds((before) => new Set([...before].filter((id) => !back.includes(id)))),
  };
}
