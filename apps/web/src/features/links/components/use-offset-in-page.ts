import { type RefObject, useLayoutEffect, useState } from 'react';

/** How far below the top of the page's scrolled content an element begins. CSS pixels. */
export function useOffsetInPage(target: RefObject<HTMLElement | null>): number {
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
