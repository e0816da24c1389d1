import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { canAskSecurityKey } from '../../../shared/lib/session/ask-security-key.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { PasskeyLook } from './passkey-look.tsx';

const PasskeyButton = lazyPart(
  () => import('./passkey-button.tsx'),
  (module) => module.PasskeyButton,
);

/** The way in by a passkey, where installation and browser have it: its code comes after the form. */
export function PasskeyEntry({ captcha }: { readonly captcha: Captcha }) {
  const { passkeys = false } = useBackend().config;
  const [pressed, setPressed] = useState(false);
  if (!passkeys || !canAskSecurityKey()) return null;
  return (
    <Suspense fallback={<PasskeyLook busy={pressed} onPress={() => setPressed(true)} />}>
      <PasskeyButton captcha={captcha} pressed={pressed} />
    </Suspense>
  );
}
