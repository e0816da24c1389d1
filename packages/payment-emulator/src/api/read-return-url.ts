import type { Parameters } from './parameters.ts';
import { invalidParameter } from './stripe-failure.ts';

/** An address that a page may lead back to: complete, and on the web. @throws StripeFailure otherwise. */
export function readReturnUrl(parameters: Parameters, name: string): string {
  const text = parameters.requiredText(name);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw invalidParameter(name, 'Not a valid URL', 'url_invalid');
  return text;
}
