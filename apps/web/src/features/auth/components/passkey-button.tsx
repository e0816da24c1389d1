import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useEffect, useRef, useState } from 'react';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useSignInByPasskey } from '../api/use-sign-in-by-passkey.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';
import { PasskeyLook } from './passkey-look.tsx';

const { done, failed } = ACCOUNT_MESSAGES.login;

interface PasskeyButtonProps {
  readonly captcha: Captcha;
  /** Whether it was pressed before its code had come. */
  readonly pressed: boolean;
}

/** Signs in without a password. Where the browser can, keys are offered in the field of the address as well. */
export function PasskeyButton({ captcha, pressed }: PasskeyButtonProps) {
  const signIn = useSignInByPasskey();
  const { captcha: asked } = useBackend().config;
  const question = useRef<AbortController>(null);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);

  // One question at a time: the browser refuses a second one.
  const begin = () => {
    question.current?.abort();
    question.current = new AbortController();
    return question.current.signal;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is one question; what it needs is read when it begins.
  useEffect(() => {
    // A captcha is solved by a press; there is none.
    if (asked || (pressed && round === 0)) return;
    let left = false;
    const offer = async () => {
      if (!(await canOfferQuietly()) || left) return;
      try {
        if ((await signIn({ signal: begin(), quietly: true })) === 'done')
          toast.success(done.title, done.description);
      } catch (failure) {
        // Nobody has pressed anything: only what comes after a key was chosen is told.
        const { name, code } = failure as { name?: unknown; code?: unknown };
        if (typeof code !== 'string' || !code.startsWith('webauthn_')) return;
        if (left || name === 'AbortError') return;
        toast.error(failed.title, describePasskeyFailure(failure));
        setRound((count) => count + 1);
      }
    };
    void offer();
    return () => {
      left = true;
      question.current?.abort();
    };
  }, [round]);

  const press = useSingleFlight(async (_: undefined) => {
    setBusy(true);
    try {
      const signal = begin();
      if ((await signIn({ signal, captcha: await captcha.take() })) === 'done')
        toast.success(done.title, done.description);
    } catch (failure) {
      toast.error(failed.title, describePasskeyFailure(failure));
      setRound((count) => count + 1);
    } finally {
      setBusy(false);
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the press that came too early.
  useEffect(() => {
    if (pressed) void press(undefined);
  }, []);
  return <PasskeyLook busy={busy} onPress={() => void press(undefined)} />;
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
