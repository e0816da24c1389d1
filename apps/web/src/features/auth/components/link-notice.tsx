import type { AuthLink } from '../../../shared/lib/supabase/read-auth-link.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { describeAuthLink } from '../model/describe-auth-link.ts';
import { GoogleFailure } from './google-failure.tsx';

/** What to tell somebody who came by a link of the auth service and is still outside. */
export function LinkNotice({ link, viaGoogle }: { readonly link: AuthLink; readonly viaGoogle: boolean }) {
  // Also when a code could not be exchanged after all: whoever is inside does not see this.
  if (link.kind === 'google' && viaGoogle) return <GoogleFailure />;
  const notice = describeAuthLink(link);
  return notice ? <Notice tone={notice.tone}>{notice.text}</Notice> : null;
}
