import { ADDING_MESSAGES } from '@linkoteca/domain/adding-messages';
import { LoaderCircle } from 'lucide-react';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import type { PageDetails } from '../model/use-page-details.ts';

interface TitleHintProps {
  readonly details: PageDetails;
  /** What stands there while nothing happens: the line keeps its height. */
  readonly idle: string;
}

/** What is going on between the title and the page it may come from, in one line. */
export function TitleHint({ details: { state, undo }, idle }: TitleHintProps) {
  return (
    <span className="flex min-h-5 items-center gap-2">
      <span role="status" className="inline-flex items-center gap-1.5">
        {state === 'searching' ? <LoaderCircle aria-hidden className="size-3.5 animate-spin" /> : null}
        {state === 'idle' ? idle : null}
        {state === 'searching' ? (
          <>
            <VisuallyHidden>{ADDING_MESSAGES.searchingTitle} </VisuallyHidden>
            {ADDING_MESSAGES.typeYours}
          </>
        ) : null}
        {state === 'nothing' ? ADDING_MESSAGES.titleNotFound : null}
        {state === 'filled' ? ADDING_MESSAGES.titleFromPage : null}
      </span>
      {state === 'filled' ? (
        <button
          type="button"
          className="-my-2 rounded-sm py-2 font-medium text-accent-text hover:underline"
          onClick={() => undo()}
        >
          Desfazer
        </button>
      ) : null}
    </span>
  );
}
