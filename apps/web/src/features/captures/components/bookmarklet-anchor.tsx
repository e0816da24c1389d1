import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { BookmarkPlus } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';

const TEXT = CAPTURE_MESSAGES.anywhere.computer;

/** The button that is dragged to the bar of favourites. A press here only says so: this page needs no saving. */
export function BookmarkletAnchor({ address }: { readonly address: string }) {
  const anchor = useRef<HTMLAnchorElement>(null);
  // React lets no such address into the page, which is right everywhere else.
  useLayoutEffect(() => anchor.current?.setAttribute('href', address), [address]);
  useEffect(() => {
    const sayHow = (event: Event) => {
      event.preventDefault();
      toast.info(TEXT.dragHint);
    };
    const element = anchor.current;
    element?.addEventListener('click', sayHow);
    return () => element?.removeEventListener('click', sayHow);
  }, []);
  return (
    // biome-ignore lint/a11y/useValidAnchor: it has its address from the effect above
    <a
      ref={anchor}
      draggable
      title={TEXT.dragHint}
      className={`${buttonClassName('primary', 'large')} cursor-grab`}
    >
      <BookmarkPlus aria-hidden />
      {TEXT.button}
    </a>
  );
}
