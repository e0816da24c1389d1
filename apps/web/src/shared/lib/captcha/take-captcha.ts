import type { CaptchaWidget } from './captcha-widget.ts';

/** Nobody has shown to be a person yet: what was typed is not sent. */
export class CaptchaMissing extends Error {
  override readonly name = 'CaptchaMissing';
}

/** @throws CaptchaMissing also while the widget's code is on its way */
export async function takeCaptcha(widget: CaptchaWidget | null): Promise<string> {
  const token = await widget?.take();
  if (token === undefined) throw new CaptchaMissing('the captcha has no token yet');
  return token;
}
