import type { PageLimitsDraft } from '../model/use-page-limits-draft.ts';
import { PageEndField } from './page-end-field.tsx';
import { PagePasswordField } from './page-password-field.tsx';

/** For how long a page is public, and what one must know to open it. */
export function PageLimitFields({ draft }: { readonly draft: PageLimitsDraft }) {
  return (
    <>
      <PageEndField draft={draft.end} />
      <PagePasswordField draft={draft.password} tried={draft.tried} />
    </>
  );
}
