import { type FocusEvent, type KeyboardEvent, type MouseEvent, useRef } from 'react';
import type { Link } from '../../../shared/lib/rows.ts';
import { findByTitle } from '../model/find-by-title.ts';
import type { LinkStars } from '../model/link-stars.ts';
import { type LinkCommand, planLinkKey } from '../model/plan-link-key.ts';
import type { FocusedLink } from '../model/use-focused-link.ts';
import type { LinkSelection } from '../model/use-link-selection.ts';

export interface LinkListInput {
  readonly links: readonly Link[];
  readonly focused: FocusedLink;
  /** Null where nothing may be picked. */
  readonly selection: LinkSelection | null;
  readonly commands: LinkCommands;
  readonly stars?: LinkStars;
}

/** Letters that follow each other within this time are one title. Milliseconds. */
const TYPING_PAUSE_MS = 700;

/** Mouse and keyboard of a list of links: one set of handlers for however many rows there are. */
export function useLinkList(input: LinkListInput, columns: number, lineSize: number) {
  const { links, focused, selection, commands, stars } = input;
  const typed = useRef({ text: '', at: 0 });

  const open = (link: Link) => {
    // Outside selection mode the element is a link, and Enter opens it by itself.
    if (selection?.active) window.open(link.url, '_blank', 'noopener,noreferrer');
  };
  const run = (command: LinkCommand, link: Link, element: Element) => {
    const actions: Record<LinkCommand, () => void> = {
      toggle: () => selection?.toggle(link.id),
      'select-all': () => selection?.pickAll(),
      open: () => open(link),
      edit: () => commands.edit?.(link),
      info: () => commands.info(link),
      copy: () => commands.copy(link),
      star: () => stars?.toggle(link),
      delete: () => commands.remove?.(link),
      menu: () => commands.openMenu(element, link),
    };
    actions[command]();
  };
  const type = (character: string, now: number) => {
    const going = now - typed.current.at < TYPING_PAUSE_MS;
    typed.current = { text: (going ? typed.current.text : '') + character, at: now };
    const found = findByTitle(links, typed.current.text, focused.index);
    if (found !== null) focused.goTo(found);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const link = links[focused.index];
    const onButton = event.target instanceof Element && event.target.closest('button') !== null;
    if (link === undefined || (onButton && [' ', 'Enter'].includes(event.key))) return;
    const step = planLinkKey(
      { key: event.key, shift: event.shiftKey, command: event.ctrlKey || event.metaKey, alt: event.altKey },
      {
        index: focused.index,
        count: links.length,
        columns,
        pageLines: countPageLines(event.currentTarget, lineSize),
        typing: typed.current.text !== '' && event.timeStamp - typed.current.at < TYPING_PAUSE_MS,
      },
    );
    if (step === null || (step.act === 'open' && !selection?.active)) return;
    event.preventDefault();
    if (step.act === 'type') return type(step.character, event.timeStamp);
    if (step.act !== 'focus') return run(step.act, link, focused.element() ?? event.currentTarget);
    const target = links[step.index];
    if (step.extend && target) selection?.extend(link.id, target.id);
    focused.goTo(step.index);
  };

  const onClick = (event: MouseEvent<HTMLUListElement>) => {
    const link = findLink(links, event.target);
    if (link === undefined || !(event.target instanceof Element)) return;
    const button = event.target.closest('[data-link-menu]');
    if (button) return commands.openMenu(button, link);
    if (selection === null) return;
    const current = links[focused.index];
    if (event.shiftKey) selection.extend(focused.known && current ? current.id : link.id, link.id);
    else if (event.ctrlKey || event.metaKey || selection.active) selection.toggle(link.id);
    else return;
    event.preventDefault();
    focused.note(link.id);
  };

  return {
    onKeyDown,
    onClick,
    // With Shift the browser would mark text, and move focus before the press is known.
    onMouseDown: (event: MouseEvent) => {
      if (event.shiftKey && selection) event.preventDefault();
    },
    onFocus: (event: FocusEvent) => {
      const link = findLink(links, event.target);
      if (link) focused.note(link.id);
    },
  };
}

function findLink(links: readonly Link[], target: EventTarget): Link | undefined {
  const item = target instanceof Element ? target.closest<HTMLElement>('[data-link-id]') : null;
  return item ? links.find((link) => link.id === item.dataset['linkId']) : undefined;
}

/** Whole lines that fit the window, less one that stays in sight. */
function countPageLines(list: Element, lineSize: number): number {
  const height = list.closest('#page')?.clientHeight ?? 0;
  return Math.max(1, Math.floor(height / lineSize) - 1);
}

/** What can be done with a link of the list; null where the links belong to someone else. */
export interface LinkCommands {
  readonly openMenu: (anchor: Element, link: Link) => void;
  readonly edit: ((link: Link) => void) | null;
  readonly info: (link: Link) => void;
  readonly copy: (link: Link) => void;
  /** Deletes the picked links, or this one when none is picked. */
  readonly remove: ((link: Link) => void) | null;
}
