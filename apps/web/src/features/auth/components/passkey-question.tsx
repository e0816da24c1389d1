import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useEffect, useState } from 'react';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useSignInByPasskey } from '../api/use-sign-in-by-passkey.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';

const { done, failed } = ACCOUNT_MESSAGES.login;

interface PasskeyQuestionProps {
  readonly captcha: Captcha;
  /** Whether the button was pressed and waits for an answer. */
  readonly open: boolean;
  /** What the press asked has failed, and that was told: the button may be pressed anew. */
  readonly onClose: () => void;
}

/**
 * Asks the browser for a passkey, one question at a time: it refuses a second one. Where nobody has pressed the button, keys are offered
 * in the field of the address, in browsers that can. Draws nothing.
 */
export function PasskeyQuestion({ captcha, open, onClose }: PasskeyQuestionProps) {
  const signIn = useSignInByPasskey();
  const { captcha: solves } = useBackend().config;
  const [offers, setOffers] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each press and each offer is one question; what it needs is read when it begins.
  useEffect(() => {
    const question = new AbortController();
    const { signal } = question;
    const tell = (failure: unknown) => toast.error(failed.title, describePasskeyFailure(failure));
    const ask = async (options: Omit<Parameters<typeof signIn>[0], 'signal'>) => {
      if ((await signIn({ signal, ...options })) === 'done') toast.success(done.title, done.description);
    };
    const answerPress = async () => {
      try {
        const solved = await captcha.take();
        if (!signal.aborted) await ask({ captcha: solved });
      } catch (failure) {
        if (!signal.aborted) tell(failure);
        onClose();
      }
    };
    const offerQuietly = async () => {
      if (!(await canOfferQuietly()) || signal.aborted) return;
      try {
        await ask({ quietly: true });
      } catch (failure) {
        // Nobody has pressed anything: only what comes after a key was chosen is told.
        const { code } = failure as { code?: unknown };
        if (signal.aborted || typeof code !== 'string' || !code.startsWith('webauthn_')) return;
        tell(failure);
        setOffers((count) => count + 1);
      }
    };
    if (open) void answerPress();
    // A captcha is solved by a press.
    else if (!solves) void offerQuietly();
    return () => question.abort();
  }, [open, offers]);
  return null;
}

async function canOfferQuietly(): Promise<boolean> {
  try {
    return (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
  } catch {
    return false;
  }
}

function describePasskeyFailure(failure: unknown): string {
  const { name, code } = failure as { name?: unknown; code?: unknown };
  if (name === 'NotAllowedError') return 'O navegador não recebeu a confirmação. Tente de novo.';
  if (code === 'webauthn_challenge_expired') return 'Passou tempo demais. Tente de novo.';
  if (code === 'webauthn_verification_failed')
    return 'Essa chave não abre nenhuma conta aqui. Entre com a senha.';
  if (code === 'user_banned') return 'Essa conta está bloqueada.';
  return describeAuthError(failure, failed.description);
}
