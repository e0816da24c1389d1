import { useCallback, useRef } from 'react';

/** The field to filter by, which the keyboard may ask for before it is there. */
export function useFilterField() {
  const field = useRef<HTMLInputElement | null>(null);
  /** Where the keyboard was when it asked: who is elsewhere by then stays there. */
  const asked = useRef<Element | null>(null);
  const ref = useCallback((element: HTMLInputElement | null) => {
    field.current = element;
    if (asked.current !== null && asked.current === document.activeElement) element?.focus();
    asked.current = null;
  }, []);
  const focus = () => {
    field.current?.focus();
    asked.current = field.current ? null : document.activeElement;
  };
  return { ref, focus };
}
