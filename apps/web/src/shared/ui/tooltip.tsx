import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

interface TooltipProps {
  readonly content: ReactNode;
  /** The element described: it must take focus. */
  readonly children: ReactElement;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
}

/** Words that appear beside a control. Never one per row of a list: rows use the native title. */
export function Tooltip({ content, children, side = 'bottom' }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger delay={400} render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8}>
          <Base.Popup className="max-w-72 rounded-sm bg-ink px-2 py-1 text-sm text-paper transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
