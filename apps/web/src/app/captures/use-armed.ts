import { useEffect, useState } from 'react';

/** How long a window has to be before somebody's eyes until a press in it counts, milliseconds. */
const ARMING_MS = 500;

/**
 * Whether a press may count: a page can open this window under the second click of a double click, or behind another and bring it to
 * the front at the last moment. It has to have had the focus for a moment, without a break.
 */
export function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const disarm = () => {
      clearTimeout(timer);
      setArmed(false);
    };
    const arm = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setArmed(true), ARMING_MS);
    };
    if (document.hasFocus()) arm();
    window.addEventListener('focus', arm);
    window.addEventListener('blur', disarm);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', arm);
      window.removeEventListener('blur', disarm);
    };
  }, []);
  return armed;
}
