import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/account-life-messages';
import { useRouter } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/lib/lazy-part.tsx';
import { useSessionStore } from '../../../shared/lib/session/session-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { useHasPassword } from '../api/use-has-password.ts';
import { CopySection } from './copy-section.tsx';

const words = ACCOUNT_LIFE_MESSAGES.deletion;

const DeleteAccountDialog = lazyPart(
  () => import('./delete-account-dialog.tsx'),
  (module) => module.DeleteAccountDialog,
);

/** The tab of what is one's own: take it along, or have it deleted. */
export function DataPanel({ email }: { readonly email: string }) {
  const session = useSessionStore();
  const router = useRouter();
  const hasPassword = useHasPassword();
  const [isAsked, setIsAsked] = useState(false);
  const [open, setOpen] = useState(false);
  const leave = async (until: string) => {
    // First out of the guarded pages, which would lead to the sign-in screen.
    await router.navigate({ to: '/account-deleted', search: { until }, replace: true });
    await session.signOut();
  };
  return (
    <div className="flex flex-col gap-6">
      <CopySection />
      <section className="flex flex-col gap-4 border-t border-line pt-5" aria-labelledby="account-deletion">
        <div>
          <h2 id="account-deletion" className="text-lg font-semibold">
            {words.title}
          </h2>
          <p className="mt-1 text-base text-ink-soft">{words.explanation}</p>
        </div>
        <Button
          variant="danger"
          size="large"
          className="self-start max-md:self-stretch"
          onClick={() => {
            setIsAsked(true);
            setOpen(true);
            // The page must be there at once: as soon as the session has ended the guard leads elsewhere.
            void router.preloadRoute({ to: '/account-deleted', search: { until: '' } });
          }}
        >
          {words.open}
        </Button>
      </section>
      {isAsked ? (
        <Suspense>
          <DeleteAccountDialog
            open={open}
            email={email}
            hasPassword={hasPassword}
            onClose={() => setOpen(false)}
            onDeleted={(until) => void leave(until)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
