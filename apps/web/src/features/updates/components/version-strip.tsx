import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { RefreshCw, X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface VersionStripProps {
  /** Begins the new version. */
  readonly onTake: () => void;
  /** Puts the offer aside. */
  readonly onClose: () => void;
}

/**
 * The offer of a new version. It stays until it is answered, so it covers nothing: the page ends above it, and so does
 * what floats at the page's foot (--strip-height).
 */
export function VersionStrip({ onTake, onClose }: VersionStripProps) {
  const strip = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const measured = strip.current;
    if (measured === null) return undefined;
    const { style } = document.documentElement;
    const tell = () => style.setProperty('--strip-height', `${measured.offsetHeight}px`);
    tell();
    const observer = new ResizeObserver(tell);
    observer.observe(measured);
    return () => {
      observer.disconnect();
      style.removeProperty('--strip-height');
    };
  }, []);

  const { title, description, action, close } = OFFLINE_MESSAGES.newVersion;
  return (
    <section
      ref={strip}
      aria-label={title}
      data-print="hide"
      className="flex items-center gap-3 border-t border-line bg-surface pt-1.5 pr-2 pb-[calc(0.375rem+env(safe-area-inset-bottom))] pl-4 md:px-5"
    >
      <RefreshCw aria-hidden className="size-4 shrink-0 text-accent-text" />
      <p className="min-w-0 flex-1 text-sm text-ink-soft">
        <span className="text-base font-medium text-ink max-md:block md:mr-2">{title}</span>
        {description}
      </p>
      <Button variant="primary" onClick={onTake}>
        {action}
      </Button>
      <IconButton
        label={close}
        onClick={() => {
          onClose();
          // The button goes with the strip; the keyboard must not begin at the top again.
          document.getElementById('page')?.focus({ preventScroll: true });
        }}
      >
        <X aria-hidden />
      </IconButton>
    </section>
  );
}
