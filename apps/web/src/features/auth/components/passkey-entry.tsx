import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { canAskSecurityKey } from '../../../shared/lib/session/ask-security-key.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { PasskeyLook } from './passkey-look.tsx';

const PasskeyQuestion = lazyPart(
  () => import('./passkey-question.tsx'),
  (module) => module.PasskeyQuestion,
);

/**
 * The way in by a passkey, where installation and browser have it. Its code comes after the form and leaves the button as it is: a press
 * that begins on one button and ends on another is none.
 */
export function PasskeyEntry({ captcha }: { readonly captcha: Captcha }) {
  const { passkeys = false } = useBackend().config;
  const [pressed, setPressed] = useState(false);
  if (!passkeys || !canAskSecurityKey()) return null;
  return (
    <>
      <PasskeyLook busy={pressed} onPress={() => setPressed(true)} />
      <Suspense>
        <PasskeyQuestion captcha={captcha} open={pressed} onClose={() => setPressed(false)} />
      </Suspense>
    </>
  );
}
