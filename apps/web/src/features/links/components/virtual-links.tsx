import type { Link } from '@linkoteca/domain/entities';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rootFontSize } from '../../../shared/lib/root-font-size.ts';
import { useElementWidth } from '../../../shared/lib/use-element-width.ts';
import { planGrid } from '../model/plan-grid.ts';
import { LinkCard } from './link-card.tsx';
import type { LinkItemProps } from './link-item-props.ts';
import { LinkRow } from './link-row.tsx';
import type { LinkView } from './link-toolbar.tsx';

interface VirtualLinksProps extends Pick<LinkItemProps, 'selecting' | 'onToggle' | 'onMenu'> {
  readonly links: readonly Link[];
  /** All links there are, loaded or not; read aloud. */
  readonly total: number;
  readonly view: LinkView;
  readonly selectedIds: ReadonlySet<string>;
  readonly menuLinkId: string | null;
  /** Called while the end of what is loaded comes near. */
  readonly onNearEnd: () => void;
}

/** Lines of items drawn beyond the window, so that a fling shows no white. */
const OVERSCAN_LINES = 6;

/** Lines left until the end when more is asked for: about two screens. */
const NEAR_END_LINES = 24;

/** Cards or rows, of which only those near the window exist. Ten thousand links cost what fifty do. */
export function VirtualLinks(props: VirtualLinksProps) {
  const { links, total, view, selecting, selectedIds, menuLinkId, onToggle, onMenu, onNearEnd } = props;
  const list = useRef<HTMLUListElement>(null);
  const width = useElementWidth(list);
  const { columns, lineHeight, gap } = planGrid(view, width, rootFontSize());
  const scrollMargin = useOffsetInPage(list);
  const lines = Math.ceil(links.length / columns);
  const virtualizer = useVirtualizer({
    count: lines,
    getScrollElement: () => list.current?.closest<HTMLElement>('#page') ?? null,
    estimateSize: () => lineHeight,
    overscan: OVERSCAN_LINES,
    gap,
    scrollMargin,
    // Lines beyond the window are drawn already: a scroll need not wait for the next ones.
    useFlushSync: false,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the measured lines change with these
  useLayoutEffect(() => virtualizer.measure(), [lineHeight, columns, view]);

  const drawn = virtualizer.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  const nearEnd = width > 0 && lastDrawn >= lines - NEAR_END_LINES;
  useEffect(() => {
    if (nearEnd) onNearEnd();
  });

  const Item = view === 'grid' ? LinkCard : LinkRow;
  return (
    <ul
      ref={list}
      className={
        view === 'list'
          ? 'relative overflow-clip rounded-lg border border-b-0 border-line bg-surface'
          : 'relative'
      }
      style={{ height: virtualizer.getTotalSize() }}
    >
      {drawn.flatMap((line) =>
        links.slice(line.index * columns, (line.index + 1) * columns).map((link, column) => (
          <li
            key={link.id}
            aria-setsize={total}
            aria-posinset={line.index * columns + column + 1}
            className="absolute top-0 left-0 [contain:layout_style]"
            style={{
              width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
              height: line.size,
              transform: `translate(calc(${column * 100}% + ${column * gap}px), ${line.start - scrollMargin}px)`,
            }}
          >
            <Item
              link={link}
              selecting={selecting}
              selected={selectedIds.has(link.id)}
              menuOpen={menuLinkId === link.id}
              onToggle={onToggle}
              onMenu={onMenu}
            />
          </li>
        )),
      )}
    </ul>
  );
}

/** How far below the top of the page's scrolled content the list begins. */
function useOffsetInPage(list: { readonly current: HTMLElement | null }): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
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
  }, [list]);
  return offset;
}
