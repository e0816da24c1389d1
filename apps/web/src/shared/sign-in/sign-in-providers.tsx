import type { ProviderWords } from '@linkoteca/domain/messages/provider-messages';
import { KeyRound } from 'lucide-react';
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
  { name: 'apple', label: 'Apple', withArticle: 'a Apple', icon: <AppleMark /> },
  { name: 'azure', label: 'Microsoft', withArticle: 'a Microsoft', icon: <MicrosoftMark /> },
  { name: 'github', label: 'GitHub', withArticle: 'o GitHub', icon: <GithubMark /> },
  { name: 'facebook', label: 'Facebook', withArticle: 'o Facebook', icon: <FacebookMark /> },
  { name: 'discord', label: 'Discord', withArticle: 'o Discord', icon: <DiscordMark /> },
  // Whatever OpenID Connect issuer the operator has put there: what it is called, only its people know.
  {
    name: 'keycloak',
    label: 'login único',
    withArticle: 'o login único',
    icon: <KeyRound aria-hidden="true" />,
  },
];

/** Those that this installation offers. */
export function listOffered({ signInProviders }: AppConfig): readonly SignInProvider[] {
  return SIGN_IN_PROVIDERS.filter(({ name }) => signInProviders.includes(name));
}

function Mark({ children }: { readonly children: ReactNode }) {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      {children}
    </svg>
  );
}

function GoogleMark() {
  return (
    <Mark>
      <path
        fill="#4285f4"
        d="M17.6 9.2c0-.6-.1-1.3-.2-1.8H9v3.5h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h3c1.7-1.6 2.6-3.9 2.6-6.6Z"
      />
      <path fill="#34a853" d="M9 18c2.4 0 4.5-.8 6-2.2l-3-2.2a5.4 5.4 0 0 1-8-2.9H1v2.3A9 9 0 0 0 9 18Z" />
      <path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8l3-2.3Z" />
      <path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3A5.4 5.4 0 0 1 9 3.6Z" />
    </Mark>
  );
}

function AppleMark() {
  return (
    <Mark>
      <g fill="currentColor">
        <path d="M12.6 4.8c-1.5 0-2.5.8-3.3.8S7.6 4.8 6.3 4.8C4.3 4.8 2.2 6.5 2.2 9.7c0 3.3 2.3 7.3 4.2 7.3 1 0 1.6-.7 2.8-.7s1.7.7 2.8.7c1.5 0 3.1-2.6 3.7-4.6-1.6-.6-2.5-1.8-2.5-3.3 0-1.3.8-2.4 1.9-3-.6-.8-1.5-1.3-2.5-1.3Z" />
        <path d="M12 1c-1.6.2-3 1.6-2.8 3.2C10.7 4.2 12.2 2.7 12 1Z" />
      </g>
    </Mark>
  );
}

function MicrosoftMark() {
  return (
    <Mark>
      <path fill="#f25022" d="M1 1h7.6v7.6H1Z" />
      <path fill="#7fba00" d="M9.4 1H17v7.6H9.4Z" />
      <path fill="#00a4ef" d="M1 9.4h7.6V17H1Z" />
      <path fill="#ffb900" d="M9.4 9.4H17V17H9.4Z" />
    </Mark>
  );
}

function GithubMark() {
  return (
    <Mark>
      <path
        fill="currentColor"
        fillRule="evenodd"
        d="M9 1a8 8 0 0 0-2.5 15.6v-2.4c-2 .4-2.5-.9-2.5-.9-.4-.9-.9-1.2-.9-1.2.8-.1 1.3.8 1.3.8.7 1.2 1.8.9 2.3.7.1-.6.3-.9.6-1.1-1.8-.2-3.6-.9-3.6-3.9 0-.9.3-1.6.8-2.1-.1-.3-.4-1.1.1-2.2 0 0 .7-.2 2.2.8a7.6 7.6 0 0 1 4.4 0c1.5-1 2.2-.8 2.2-.8.5 1.1.2 1.9.1 2.2.5.5.8 1.2.8 2.1 0 3-1.8 3.7-3.6 3.9.4.3.6.8.6 1.6v2.5A8 8 0 0 0 9 1Z"
      />
    </Mark>
  );
}

function FacebookMark() {
  return (
    <Mark>
      <circle cx="9" cy="9" r="8" fill="#1877f2" />
      <path
        fill="#fff"
        d="M9.9 17v-5.5h1.9l.4-2.4H9.9V7.6c0-.7.3-1.3 1.4-1.3h1V4.2c-.3 0-.9-.1-1.6-.1-1.8 0-3 1.1-3 3v2H5.7v2.4h2V17Z"
      />
    </Mark>
  );
}

function DiscordMark() {
  return (
    <Mark>
      <path
        fill="#5865f2"
        d="M6.5 3.2C5.3 3.4 4.2 3.8 3.3 4.3 1.7 7 1 10 1.1 13c1.3 1 2.6 1.6 3.9 2l1-1.6a8 8 0 0 0 6 0l1 1.6c1.3-.4 2.6-1 3.9-2 .2-3-.6-6-2.2-8.7-.9-.5-2-.9-3.2-1.1l-.5 1a12 12 0 0 0-4 0Z"
      />
      <path
        fill="#fff"
        d="M6.4 8c.8 0 1.4.7 1.4 1.5S7.2 11 6.4 11 5 10.3 5 9.5 5.6 8 6.4 8Zm5.2 0c.8 0 1.4.7 1.4 1.5s-.6 1.5-1.4 1.5-1.4-.7-1.4-1.5S10.8 8 11.6 8Z"
      />
    </Mark>
  );
}
