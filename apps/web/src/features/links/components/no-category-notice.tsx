import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { ADDING_MESSAGES } from '../model/adding-messages.ts';

/** A link needs a category; somebody who just arrived has none. */
export function NoCategoryNotice({ onCreate }: { readonly onCreate: () => void }) {
  return (
    <Notice
      tone="info"
      action={
        <Button size="small" onClick={onCreate}>
          Criar categoria
        </Button>
      }
    >
      {ADDING_MESSAGES.noCategory}
    </Notice>
  );
}
