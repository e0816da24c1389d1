import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { backdropClassName, dialogPopupClassName } from '../menus/floating-class-names.ts';
import { DiscardConfirmation, type DiscardWords } from './discard-confirmation.tsx';
import { finalFocusOf } from './final-focus.ts';
import { useBackDismisses } from './use-back-dismisses.ts';

export interface DialogProps {
  readonly open: boolean;
  /** Called when the person asks to close and nothing typed would be lost. */
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** True while typed text is unsaved: Esc, the backdrop, the close button and the way back then ask first. */
  readonly dirty?: boolean;
  /** What they ask, where it is no text that would be lost. */
  readonly discard?: DiscardWords | undefined;
  /** 'narrow' is the specification's 425 px. */
  readonly width?: 'narrow' | 'wide';
  /** Where the keyboard goes when it opens; by default (true) to the first field. */
  readonly initialFocus?: () => HTMLElement | true | null;
  /** Where the keyboard goes when it closes; by default (true) to where it came from. */
  readonly finalFocus?: () => HTMLElement | true | null;
  readonly children: ReactNode;
}

/**
 * A window over the page; on phones a sheet from the bottom. The first field gets focus (the close button is last in
 * the document), Enter saves because the children bring a real form.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  dirty = false,
  discard,
  width = 'narrow',
  initialFocus,
  finalFocus = () => true,
  children,
}: DialogProps) {
  const [asking, setAsking] = useState(false);
  const latestOpen = useRef(open);
  latestOpen.current = open;
  const requestClose = () => (dirty ? setAsking(true) : onClose());
  useBackDismisses(open, requestClose);
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : requestClose())}>
      <Base.Portal>
        <Base.Backdrop className={backdropClassName} />
        <Base.Popup
          {...(initialFocus ? { initialFocus } : {})}
          // One that another takes the place of does not close: the focus is the other's.
          finalFocus={finalFocusOf(() => (latestOpen.current ? false : finalFocus()))}
          className={joinClassNames(
            dialogPopupClassName,
            width === 'narrow' ? 'md:max-w-dialog' : 'md:max-w-dialog-wide',
          )}
        >
          <div className="px-5 pt-5 pr-14">
            <Base.Title className="text-lg font-semibold text-ink">{title}</Base.Title>
            {description ? (
              <Base.Description className="mt-1 text-base text-ink-soft">{description}</Base.Description>
            ) : null}
          </div>
          <div className="px-5 pt-4 pb-5">{children}</div>
          <Base.Close
            render={
              <IconButton label="Fechar" className="absolute top-3.5 right-3.5">
                <X aria-hidden />
              </IconButton>
            }
          />
        </Base.Popup>
      </Base.Portal>
      <DiscardConfirmation
        {...discard}
        open={asking}
        onKeep={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false);
          onClose();
        }}
      />
    </Base.Root>
  );
}
