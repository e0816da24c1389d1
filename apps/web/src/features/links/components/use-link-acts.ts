import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { flushSync } from 'react-dom';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { useShortcut } from '../../../shared/lib/browser/use-shortcut.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { isElsewhere } from '../../../shared/ui/dialogs/final-focus.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import type { FocusedLink } from '../model/use-focused-link.ts';
import type { LinkSelection } from '../model/use-link-selection.ts';
import type { LinkDialogRequest } from './form/link-dialogs.tsx';
import type { LinkMoveRequest } from './link-browser-props.ts';
import type { LinkCommands } from './use-link-list.ts';

interface LinkActsInput {
  readonly links: readonly Link[];
  readonly selection: LinkSelection;
  readonly focused: FocusedLink;
  /** True where the person may not change the links. */
  readonly readOnly: boolean;
  readonly openMenu: (anchor: Element, link: Link) => void;
  /** Opens a dialog of a link. */
  readonly ask: (request: LinkDialogRequest) => void;
  /** Asks where links shall go. */
  readonly onMove: (request: LinkMoveRequest) => void;
  /** Asks for the tags of links; null where they have none of their own, or not yet. */
  readonly onTag: ((links: readonly Link[], onDone: () => void) => void) | null;
}

/** What can be done with the links of a list, one or the picked ones; X, M, T and Escape are the page's keys for it. */
export function useLinkActs(input: LinkActsInput) {
  const { links, selection, focused, readOnly, openMenu, ask, onMove, onTag } = input;
  // Toolbar and selection bar take each other's place: their button goes with the press, and the keyboard to the links.
  const keepFocus = (act: () => void) => () => {
    flushSync(act);
    focused.restore();
  };
  // The bar goes with the button that has the keyboard, or that a dialog would give it back to; whoever is elsewhere stays there.
  const leave = () => {
    flushSync(selection.leave);
    if (!isElsewhere(document.activeElement)) focused.restore();
  };
  const letGo = (ids: ReadonlySet<string>) => {
    focused.stepAside(ids);
    selection.leave();
  };
  const withSelected = (act: (chosen: readonly Link[]) => void) => () => {
    const chosen = links.filter((link) => selection.ids.has(link.id));
    if (chosen.length === 0) toast.error(LINK_MESSAGES.noneSelected);
    else act(chosen);
  };
  const move = (moved: readonly Link[]) => {
    const ids = new Set(moved.map((link) => link.id));
    onMove({ links: moved, onMoved: () => letGo(ids), focusAfter: () => focused.element(ids) });
  };
  const removeOne = (link: Link) => ask({ kind: 'delete', links: [link], bulk: false });
  const removeSelected = withSelected((doomed) => ask({ kind: 'delete', links: doomed, bulk: true }));
  const moveSelected = withSelected(move);
  const tag = (tagged: readonly Link[]) => onTag?.(tagged, selection.active ? leave : selection.leave);
  const tagSelected = withSelected(tag);
  /** The picked links, or the one that has the keyboard. */
  const withFocused = (actSelected: () => void, act: (chosen: readonly Link[]) => void) => () => {
    const at = document.activeElement?.closest<HTMLElement>('[data-link-id]')?.dataset['linkId'];
    const here = links.find((link) => link.id === at);
    if (selection.active) actSelected();
    else if (here) act([here]);
  };
  const toggleMode = selection.active ? selection.leave : selection.start;
  const commands: LinkCommands = {
    openMenu,
    edit: readOnly ? null : (link) => ask({ kind: 'edit', link }),
    info: (link) => ask({ kind: 'info', link }),
    copy: (link) => void copyLink(link.url),
    remove: readOnly ? null : (link) => (selection.ids.size > 0 ? removeSelected() : removeOne(link)),
  };

  const start = () => {
    // The toolbar goes, perhaps with the button that has the keyboard.
    const isCovered = document.activeElement?.closest('[data-link-toolbar]') != null;
    flushSync(selection.start);
    if (isCovered) focused.restore();
  };

  useShortcut('x', readOnly ? null : selection.active ? leave : start);
  useShortcut('m', readOnly ? null : withFocused(moveSelected, move));
  useShortcut('t', onTag && withFocused(tagSelected, tag));
  useShortcut('escape', selection.active ? leave : null);

  return {
    commands,
    letGo,
    moveSelected,
    removeSelected,
    tagSelected: onTag && tagSelected,
    tagOne: onTag && ((link: Link) => tag([link])),
    moveOne: readOnly ? null : (link: Link) => move([link]),
    removeOne: readOnly ? null : removeOne,
    toggleMode: keepFocus(toggleMode),
    leaveMode: keepFocus(selection.leave),
  };
}
