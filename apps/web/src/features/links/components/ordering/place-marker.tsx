import { type RefObject, useLayoutEffect, useState } from 'react';
import { useDrag } from '../../../../shared/lib/drag-and-drop/drag-state.ts';
import type { LinkView } from '../../model/link-view.ts';
import type { PlacePoint } from '../../model/ordering/plan-placing.ts';
import { isStacked } from './find-place-point.ts';

interface PlaceMarkerProps {
  readonly container: RefObject<HTMLElement | null>;
  readonly view: LinkView;
  /** The place that a drop key names; null for other places. */
  readonly readKey: (key: string) => PlacePoint | null;
}

/** Half of what is between two cards; CSS pixels. */
const HALF_GAP = 5;
const THICKNESS = 3;

/** A line where the dragged links would go, while they are held over a place that takes them. */
export function PlaceMarker({ container, view, readKey }: PlaceMarkerProps) {
  const over = useDrag()?.over;
  const key = over?.accepted ? over.key : null;
  const [line, setLine] = useState<Line | null>(null);
  useLayoutEffect(() => {
    const point = key === null ? null : readKey(key);
    setLine(point && measureLine(container.current, point, view));
  }, [container, key, readKey, view]);
  if (line === null) return null;
  return (
    <div
      aria-hidden
      data-place-marker
      className="pointer-events-none absolute top-0 left-0 z-2 rounded-full bg-accent"
      style={{
        width: line.width,
        height: line.height,
        transform: `translate(${line.left}px, ${line.top}px)`,
      }}
    />
  );
}

interface Line {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** In pixels of the container. */
function measureLine(container: Element | null, { id, side }: PlacePoint, view: LinkView): Line | null {
  const items = container?.querySelectorAll<HTMLElement>('[data-link-id]') ?? [];
  const item = [...items].find((each) => each.dataset['linkId'] === id);
  if (!container || !item) return null;
  const box = item.getBoundingClientRect();
  const origin = container.getBoundingClientRect();
  const [left, top] = [box.left - origin.left, box.top - origin.top];
  // Rows touch each other.
  const gap = view === 'list' ? 0 : HALF_GAP;
  const edge = (from: number, size: number) =>
    (side === 'before' ? from - gap : from + size + gap) - THICKNESS / 2;
  return isStacked(container, box)
    ? { left, top: edge(top, box.height), width: box.width, height: THICKNESS }
    : { left: edge(left, box.width), top, width: THICKNESS, height: box.height };
}
