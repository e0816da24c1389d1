import type { ReactNode } from 'react';
import { useRef } from 'react';
import { lazyPart } from '../browser/lazy-part.tsx';
import { useBackend } from '../supabase/backend-context.tsx';
import type { CaptchaOption, CaptchaWidget } from './captcha-widget.ts';

const CaptchaField = lazyPart(
  () => import('./captcha-field.tsx'),
  (module) => module.CaptchaField,
);

export interface Captcha {
  /** Stands above the form's button; nothing where the installation asks for no captcha. */
  readonly field: ReactNode;
  /**
   * The option of the auth client's calls: good for one call. Empty where none is asked for.
   * @throws CaptchaMissing while the person has not shown to be one
   */
  readonly take: () => Promise<CaptchaOption>;
}

/** A form's captcha. Its code comes only where one is configured. */
export function useCaptcha(): Captcha {
  const { captcha } = useBackend().config;
  const widget = useRef<CaptchaWidget>(null);
  if (!captcha) return { field: null, take: async () => ({}) };
  return {
    field: <CaptchaField {...captcha} widget={widget} />,
    take: async () => {
      const { takeCaptcha } = await import('./take-captcha.ts');
      return { captchaToken: await takeCaptcha(widget.current) };
    },
  };
}
