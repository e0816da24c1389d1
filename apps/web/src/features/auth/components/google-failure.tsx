import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { useEffect } from 'react';
import { toast } from '../../../shared/ui/toast.ts';

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
