import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { useSessionStore } from '../../../shared/lib/session/session-context.tsx';
import { useSignInWays } from '../../../shared/sign-in/use-sign-in-ways.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { CopySection } from './copy-section.tsx';

const words = ACCOUNT_LIFE_MESSAGES.deletion;

const DeleteAccountDialog = lazyPart(
  () => import('./delete-account-dialog.tsx'),
  (module) => module.DeleteAccountDialog,
);

interface DataPanelProps {
  readonly person: Person;
  /** What else can be done with what is one's own, between the copy and the deletion. */
  readonly children?: ReactNode;
  /** Id of the account that was to be deleted when its owner left to sign in again. */
  readonly deleting: string | undefined;
  /** The dialog was closed: its address counts no more. */
  readonly onDeletionLeft: () => void;
  /** Leaves for a provider and comes back to the page `from`, preferably as `email`. */
  readonly signInWith: (provider: string, from: string, email: string) => Promise<void>;
}

/** The tab of what is one's own: take it along, or have it deleted. */
export function DataPanel({ person, children, deleting, onDeletionLeft, signInWith }: DataPanelProps) {
  const { id, email } = person;
  const session = useSessionStore();
  const router = useRouter();
  const { hasPassword, offered } = useSignInWays();
  // Whoever comes back as somebody else must not find that account's deletion open.
  const isBack = deleting === id;
  const [isAsked, setIsAsked] = useState(isBack);
  const [open, setOpen] = useState(isBack);
  const leave = async (until: string) => {
    // First out of the guarded pages, which would lead to the sign-in screen.
    await router.navigate({ to: '/account-deleted', search: { until }, replace: true });
    await session.signOut();
  };
  const signInAgain = async () => {
    const from = `/profile?tab=data&deleting=${id}`;
    if (offered) return await signInWith(offered.name, from, email);
    const error = await session.signOut();
    if (error) throw error;
    await router.navigate({ to: '/login', search: { from }, replace: true });
  };
  const close = () => {
    setOpen(false);
    if (deleting !== undefined) onDeletionLeft();
  };
  // The page must be there at once: as soon as the session has ended the guard leads elsewhere.
  useEffect(() => {
    if (open) void router.preloadRoute({ to: '/account-deleted', search: { until: '' } });
  }, [open, router]);
  return (
    <div className="flex flex-col gap-6">
      <CopySection />
      {children}
      <section className="flex flex-col gap-4 border-t border-line pt-5" aria-labelledby="account-deletion">
        <div>
          <h2 id="account-deletion" className="text-lg font-semibold">
            {words.title}
          </h2>
          <p className="mt-1 text-base text-ink-soft">{words.explanation}</p>
        </div>
        {deleting === undefined || isBack ? null : (
          <Notice tone="warning">{words.otherAccount(email)}</Notice>
        )}
        <Button
          variant="danger"
          size="large"
          className="self-start max-md:self-stretch"
          onClick={() => {
            setIsAsked(true);
            setOpen(true);
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
            freshSignIn={{ provider: offered, leave: signInAgain }}
            onClose={close}
            onDeleted={(until) => void leave(until)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
