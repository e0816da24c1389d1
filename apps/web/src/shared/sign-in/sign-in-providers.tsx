import type { ProviderWords } from '@linkoteca/domain/messages/provider-messages';
import type { ReactNode } from 'react';
import type { AppConfig } from '../lib/load-app-config.ts';

/** A provider that people sign in with, as buttons and sentences show it. */
export interface SignInProvider extends ProviderWords {
  /** As the auth service says it. */
  readonly name: string;
  readonly icon: ReactNode;
}

/** In the order of their buttons; docs/changing.md tells how to add one. */
export const SIGN_IN_PROVIDERS: readonly SignInProvider[] = [
  { name: 'google', label: 'Google', withArticle: 'o Google', icon: <GoogleMark /> },
];

/** Those that this installation offers. */
export function listOffered({ signInProviders }: AppConfig): readonly SignInProvider[] {
  return SIGN_IN_PROVIDERS.filter(({ name }) => signInProviders.includes(name));
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M17.6 9.2c0-.6-.1-1.3-.2-1.8H9v3.5h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h3c1.7-1.6 2.6-3.9 2.6-6.6Z"
      />
      <path fill="#34a853" d="M9 18c2.4 0 4.5-.8 6-2.2l-3-2.2a5.4 5.4 0 0 1-8-2.9H1v2.3A9 9 0 0 0 9 18Z" />
      <path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8l3-2.3Z" />
      <path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3A5.4 5.4 0 0 1 9 3.6Z" />
    </svg>
  );
}
