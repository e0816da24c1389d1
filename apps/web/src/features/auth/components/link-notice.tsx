import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useEffect } from 'react';
import type { AuthLink } from '../../../shared/lib/supabase/read-auth-link.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { describeAuthLink } from '../model/describe-auth-link.ts';

/** What to tell somebody who came by a link of the auth service and is still outside. */
export function LinkNotice({ link, viaGoogle }: { readonly link: AuthLink; readonly viaGoogle: boolean }) {
  // Also when a code could not be exchanged after all: whoever is inside does not see this.
  if (link.kind === 'google' && viaGoogle) return <GoogleFailure />;
  const notice = describeAuthLink(link);
  return notice ? <Notice tone={notice.tone}>{notice.text}</Notice> : null;
}

const { title, description } = ACCOUNT_MESSAGES.login.googleFailed;

/** Tells, once, that the way back from Google did not end in a sign-in; a reload must not tell it again. Shows nothing. */
export function GoogleFailure() {
  useEffect(() => {
    const url = new URL(window.location.href);
    if (!url.searchParams.has('via')) return;
    toast.error(title, description, { id: 'google-failed' });
    for (const name of ['error', 'error_code', 'error_description', 'code', 'via'])
      url.searchParams.delete(name);
    url.hash = '';
    window.history.replaceState(window.history.state, '', url);
  }, []);
  return null;
}
