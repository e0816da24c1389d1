import { createHmac } from 'node:crypto';
import { isSameSecret } from '../api/handle-api-request.ts';
import { type Html, html } from './html.ts';

/**
 * The token of a form: good for one page, and only until one of the page's forms has been accepted. It can neither be made
 * elsewhere nor be used twice.
 */
export function signForm(secretKey: string, page: string, version: number): string {
  return createHmac('sha256', secretKey).update(`form\n${page}\n${version}`).digest('base64url');
}

/** The hidden field that carries it. */
export function renderToken(token: string): Html {
  return html`<input type="hidden" name="token" value="${token}">`;
}

/** Whether the form was rendered for this page as it is now. */
export function isFresh(token: string | null, expected: string): boolean {
  return token !== null && isSameSecret(token, expected);
}
