import { type RefObject, useEffect, useRef } from 'react';
import { type DropZone, openDropZone } from './drop-zones.ts';

/**
 * Lets things be dropped on the elements with `data-drop-key` inside a container.
 * @param zone null while nothing may be dropped there.
 */
export function useDropZone(container: RefObject<Element | null>, zone: DropZone | null): void {
  const latest = useRef(zone);
  useEffect(() => {
    latest.current = zone;
  });
  const open = zone !== null;
  useEffect(() => {
    const element = container.current;
    if (!element || !open) return undefined;
    return openDropZone(element, {
      accepts: (load, key) => latest.current?.accepts(load, key) ?? false,
      onDrop: (load, key) => latest.current?.onDrop(load, key),
      locate: (x, y) => latest.current?.locate?.(x, y) ?? null,
    });
  }, [container, open]);
}
