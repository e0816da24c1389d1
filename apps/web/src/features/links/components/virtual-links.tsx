import {
  defaultRangeExtractor,
  observeElementOffset,
  type Range,
  useVirtualizer,
} from '@tanstack/react-virtual';
import {
  type ComponentType,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { rootFontSize } from '../../../shared/lib/browser/root-font-size.ts';
import { useElementWidth } from '../../../shared/lib/browser/use-element-width.ts';
import { whenIdle } from '../../../shared/lib/browser/when-idle.ts';
import { type LinkTagging, showsTags } from '../model/link-tagging.ts';
import type { LinkView } from '../model/link-view.ts';
import { type GridPlan, planGrid } from '../model/plan-grid.ts';
import { LinkCard, type LinkItemProps, LinkRow } from './link-items.tsx';
import { type LinkListInput, useLinkList } from './use-link-list.ts';

export interface VirtualLinksProps extends LinkListInput {
  /** All links there are, loaded or not; read aloud. */
  readonly total: number;
  readonly view: LinkView;
  /** What draws a link, where it is neither card nor row. */
  readonly Item?: ComponentType<LinkItemProps>;
  /** How large that is. */
  readonly plan?: (width: number, rem: number) => GridPlan;
  readonly menuLinkId: string | null;
  /** Null until its code is here. */
  readonly tagging: LinkTagging | null;
  /** Where the page is, or is about to be; pixels. */
  readonly startOffset: () => number;
  /** Called while the end of what is loaded comes near. */
  readonly onNearEnd: () => void;
}

/** Lines of items drawn beyond the window, so that a fling shows no white. */
const OVERSCAN_LINES = 6;

/** The same while the list appears: what nobody can see yet must not hold back what everybody waits for. */
const FIRST_OVERSCAN_LINES = 1;

/** Lines left until the end when more is asked for: about two screens. */
const NEAR_END_LINES = 24;

/**
 * Cards or rows, of which only those near the window exist, and the one that Tab reaches: focus outlives any scroll. Ten
 * thousand links cost what fifty do.
 */
export function VirtualLinks(props: VirtualLinksProps) {
  const { links, focused, selection, total, view, menuLinkId, tagging, onNearEnd } = props;
  const width = useElementWidth(focused.list);
  // Asking for it in every render would make the browser compute all styles first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: larger text comes with another width
  const rem = useMemo(rootFontSize, [width]);
  const { columns, lineHeight, bareLineHeight, tagsHeight, gap } =
    props.plan?.(width, rem) ?? planGrid(view, width, rem);
  const scrollMargin = useOffsetInPage(focused.list);
  const lines = Math.ceil(links.length / columns);
  const virtualizer = useVirtualizer({
    count: lines,
    getScrollElement: () => focused.list.current?.closest<HTMLElement>('#page') ?? null,
    estimateSize: (at) => {
      const line = links.slice(at * columns, (at + 1) * columns);
      const height = line.some((link) => link.description) ? lineHeight : bareLineHeight;
      return tagsHeight > 0 && line.some((link) => showsTags(link, tagging)) ? height + tagsHeight : height;
    },
    initialOffset: props.startOffset,
    observeElementOffset: (instance, note) => {
      // It would send the page to where it was when the first frame was begun.
      note(props.startOffset(), false);
      return observeElementOffset(instance, note);
    },
    overscan: useOverscan(),
    gap,
    scrollMargin,
    rangeExtractor: useRangeWith(Math.floor(focused.index / columns)),
    // Lines beyond the window are drawn already: a scroll need not wait for the next ones.
    useFlushSync: false,
  });
  const handlers = useLinkList(props, columns, lineHeight + gap);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines' heights change with these
  useLayoutEffect(() => virtualizer.measure(), [links, lineHeight, columns, view, tagging]);

  // Before its width is known a list would draw cards for one column, only to draw others in the same frame.
  const drawn = width === 0 ? [] : virtualizer.getVirtualItems();
  const nearEnd = width > 0 && (virtualizer.range?.endIndex ?? 0) + OVERSCAN_LINES >= lines - NEAR_END_LINES;
  useEffect(() => {
    if (nearEnd) onNearEnd();
  });

  const Item = props.Item ?? (view === 'list' ? LinkRow : LinkCard);
  const selecting = selection?.active ?? false;
  return (
    <ul
      ref={focused.list}
      aria-label="Links"
      {...handlers}
      data-selecting={selecting || undefined}
      className={joinClassNames(
        'group/links relative',
        view === 'list' && 'overflow-clip rounded-lg border border-line bg-surface',
      )}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {drawn.flatMap((line) =>
        links.slice(line.index * columns, (line.index + 1) * columns).map((link, column) => (
          <li
            key={link.id}
            data-link-id={link.id}
            aria-setsize={total}
            aria-posinset={line.index * columns + column + 1}
            className="absolute top-0 left-0 scroll-my-20 [contain:layout_style]"
            style={{
              width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
              height: line.size,
              transform: `translate(calc(${column * 100}% + ${column * gap}px), ${line.start - scrollMargin}px)`,
            }}
          >
            <Item
              link={link}
              selecting={selecting}
              selected={selection?.ids.has(link.id) ?? false}
              starred={props.stars?.ids.has(link.id) ?? false}
              tabStop={line.index * columns + column === focused.index}
              menuOpen={menuLinkId === link.id}
              renderTags={tagging?.renderChips}
            />
          </li>
        )),
      )}
    </ul>
  );
}

/** Few lines beyond the window in the first picture, all of them once it stands. */
function useOverscan(): number {
  const [overscan, setOverscan] = useState(FIRST_OVERSCAN_LINES);
  useEffect(() => whenIdle(() => startTransition(() => setOverscan(OVERSCAN_LINES))), []);
  return overscan;
}

/** Which lines to draw: those near the window, and this one wherever it is. */
function useRangeWith(line: number): (range: Range) => number[] {
  return useCallback(
    (range) => {
      const near = defaultRangeExtractor(range);
      return near.includes(line) || line >= range.count ? near : [...near, line].toSorted((a, b) => a - b);
    },
    [line],
  );
}

/** How far below the top of the page's scrolled content an element begins. CSS pixels. */
function useOffsetInPage(target: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const element = target.current;
    const page = element?.closest('#page');
    if (!element || !page) return undefined;
    const measure = () => {
      const top = element.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop;
      setOffset((before) => (Math.abs(top - before) < 1 ? before : top));
    };
    measure();
    // A banner or a longer header above moves the list: then the height of a part of the page has changed. Measuring
    // while scrolling would force the browser to lay the page out twice a frame.
    const observer = new ResizeObserver(measure);
    for (const part of page.children) observer.observe(part);
    return () => observer.disconnect();
  }, [target]);
  return offset;
}
