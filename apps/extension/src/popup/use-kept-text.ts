import { useEffect, useRef, useState } from 'react';

/** Silence after which what is typed is kept, milliseconds. */
const PAUSE_MS = 350;

/** A text that is kept by itself: after a pause, when the field is left, and when the window closes under it. */
export function useKeptText(initial: string, keep: (text: string) => void) {
  const [text, setText] = useState(initial);
  const latest = useRef({ text: initial, kept: initial, keep });
  latest.current.keep = keep;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useRef(() => {
    clearTimeout(timer.current);
    const { text: now, kept } = latest.current;
    if (now === kept) return;
    latest.current.kept = now;
    latest.current.keep(now);
  }).current;
  useEffect(() => {
    addEventListener('pagehide', flush);
    return () => removeEventListener('pagehide', flush);
  }, [flush]);
  return {
    value: text,
    onBlur: flush,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setText(event.target.value);
      latest.current.text = event.target.value;
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, PAUSE_MS);
    },
  };
}
