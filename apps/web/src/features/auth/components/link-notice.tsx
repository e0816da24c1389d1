import { PROVIDER_MESSAGES } from '@linkoteca/domain/messages/provider-messages';
import { useEffect } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import type { AuthLink } from '../../../shared/lib/supabase/read-auth-link.ts';
import {
  listOffered,
  SIGN_IN_PROVIDERS,
  type SignInProvider,
} from '../../../shared/sign-in/sign-in-providers.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { describeAuthLink } from '../model/describe-auth-link.ts';
import { ORGANISATION } from '../model/link-addresses.ts';

interface LinkNoticeProps {
  readonly link: AuthLink;
  /** The provider that the address names. */
  readonly via: string | undefined;
}

/** What to tell somebody who came by a link of the auth service and is still outside. */
export function LinkNotice({ link, via }: LinkNoticeProps) {
  const { config } = useBackend();
  const provider = SIGN_IN_PROVIDERS.find(({ name }) => name === via);
  useEffect(tidyAddress, []);
  if (link.kind === 'provider' && via === ORGANISATION) return <Notice tone="warning">{REFUSED}</Notice>;
  // Also when a code could not be exchanged after all: whoever is inside does not see this.
  if (link.kind === 'provider' && provider) return <ProviderFailure provider={provider} />;
  const notice = describeAuthLink(link, listOffered(config));
  return notice ? <Notice tone={notice.tone}>{notice.text}</Notice> : null;
}

const REFUSED =
  'Sua organização não confirmou quem você é. Tente de novo, ou fale com quem cuida das contas dela.';

/** Tells, once, that the way back from a provider did not end in a sign-in; a reload must not tell it again. Shows nothing. */
function ProviderFailure({ provider }: { readonly provider: SignInProvider }) {
  useEffect(() => {
    if (!new URL(window.location.href).searchParams.has('via')) return;
    const { title, description } = PROVIDER_MESSAGES.failed(provider);
    toast.error(title, description, { id: 'provider-failed' });
  }, [provider]);
  return null;
}

/** What the link said has been read: a reload, a bookmark or a screenshot of the page says nothing of it. */
function tidyAddress() {
  const url = new URL(window.location.href);
  for (const name of ['error', 'error_code', 'error_description', 'code', 'via'])
    url.searchParams.delete(name);
  url.hash = '';
  window.history.replaceState(window.history.state, '', url);
}
