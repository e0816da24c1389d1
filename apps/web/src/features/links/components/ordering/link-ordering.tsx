import { type RefObject, useEffect, useRef } from 'react';
import { announce } from '../../../../shared/lib/browser/announce.ts';
import { useDropZone } from '../../../../shared/lib/drag-and-drop/use-drop-zone.ts';
import { LINK_DRAG, PLACE_KEY } from '../../model/link-drag.ts';
import type { LinkView } from '../../model/link-view.ts';
import { describePlace, ORDER_MESSAGES } from '../../model/ordering/order-messages.ts';
import type { LinkPlacing } from '../../model/ordering/own-order.ts';
import { type OrderedLinks, type PlacePoint, planDrop, planStep } from '../../model/ordering/plan-placing.ts';
import type { FocusedLink } from '../../model/use-focused-link.ts';
import { findPlacePoint } from './find-place-point.ts';
import { PlaceMarker } from './place-marker.tsx';

interface LinkOrderingProps extends OrderedLinks {
  readonly categoryId: string;
  readonly view: LinkView;
  /** What holds the list of links. */
  readonly container: RefObject<HTMLElement | null>;
  readonly focused: FocusedLink;
  readonly place: (placing: LinkPlacing) => void;
}

/** Lets the links of a list be put elsewhere in it: dropped between others, or moved step by step with Alt and an arrow. */
export function LinkOrdering(props: LinkOrderingProps) {
  const { categoryId, view, container, place } = props;
  useDropZone(container, {
    locate: (x, y) => {
      const point = findPlacePoint(container.current, x, y);
      return point && writeKey(point);
    },
    accepts: (load, key) =>
      load.kind === LINK_DRAG && load.homeKey === categoryId && planDropAt(props, key, load.ids) !== null,
    onDrop: (load, key) => {
      const placing = planDropAt(props, key, load.ids);
      if (placing) place(placing);
    },
  });
  useStepKeys(props);
  useKeptFocus(props);
  return <PlaceMarker container={container} view={view} readKey={readKey} />;
}

function planDropAt(links: OrderedLinks, key: string, ids: readonly string[]): LinkPlacing | null {
  const point = readKey(key);
  return point && planDrop(links, point, ids);
}

function writeKey({ side, id }: PlacePoint): string {
  return `${PLACE_KEY}${side} ${id}`;
}

function readKey(key: string): PlacePoint | null {
  if (!key.startsWith(PLACE_KEY)) return null;
  const [side, id = ''] = key.slice(PLACE_KEY.length).split(' ');
  return { side: side === 'before' ? 'before' : 'after', id };
}

/** Alt and an arrow: one place up or down, wherever the list is drawn in columns. */
function useStepKeys(props: LinkOrderingProps): void {
  const latest = useRef(props);
  latest.current = props;
  const { container } = props;
  useEffect(() => {
    const list = container.current;
    const press = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowUp' ? 'up' : event.key === 'ArrowDown' ? 'down' : null;
      const { focused, shown, place } = latest.current;
      const link = shown[focused.index];
      const onList = focused.list.current?.contains(document.activeElement) === true;
      if (
        !event.altKey ||
        event.ctrlKey ||
        event.metaKey ||
        event.shiftKey ||
        step === null ||
        !link ||
        !onList
      )
        return;
      event.preventDefault();
      const placing = planStep(latest.current, link.id, step);
      if (placing) place(placing);
      else announce(step === 'up' ? ORDER_MESSAGES.first : ORDER_MESSAGES.last);
    };
    list?.addEventListener('keydown', press);
    return () => list?.removeEventListener('keydown', press);
  }, [container]);
}

/** The keyboard stays with its link when that moves, which takes the focus of its element away, and hears where it is now. */
function useKeptFocus({ shown, focused }: LinkOrderingProps): void {
  const link = shown[focused.index];
  const before = useRef({ id: link?.id, index: focused.index, count: shown.length });
  const held = useRef(false);
  const list = focused.list.current;
  // Asked while the old elements still stand.
  held.current = list?.contains(document.activeElement) === true;
  const latest = useRef(focused);
  latest.current = focused;
  useEffect(() => {
    const was = before.current;
    before.current = { id: link?.id, index: latest.current.index, count: shown.length };
    const moved = link !== undefined && was.id === link.id && was.index !== latest.current.index;
    if (!moved || was.count !== shown.length) return;
    announce(describePlace(link.title, latest.current.index + 1, shown.length));
    // The element is drawn anew where it stands now, once this has been shown.
    if (held.current) queueMicrotask(() => latest.current.goTo(latest.current.index));
  }, [link, shown]);
}
