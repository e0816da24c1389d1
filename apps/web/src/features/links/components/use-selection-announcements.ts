import { formatCount } from '@linkoteca/domain/formats';
import { useEffect, useRef } from 'react';
import { announce } from '../../../shared/lib/browser/announce.ts';

/** A hand that picks fast is told once, when it rests. Milliseconds. */
const REST_MS = 400;

/** Tells screen readers when selection mode begins and ends, and how many links are picked. */
export function useSelectionAnnouncements(active: boolean, count: number): void {
  const before = useRef({ active, count });
  useEffect(() => {
    const was = before.current;
    if (was.active === active && was.count === count) return undefined;
    const timer = window.setTimeout(() => {
      before.current = { active, count };
      if (!active) announce('Seleção encerrada');
      else if (count > 0 || was.active)
        announce(formatCount(count, 'link selecionado', 'links selecionados'));
      else announce('Modo de seleção: marque links com a barra de espaço');
    }, REST_MS);
    return () => window.clearTimeout(timer);
  }, [active, count]);
}
