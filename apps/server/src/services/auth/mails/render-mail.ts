import { type Letter, renderLetter } from '@linkoteca/domain/render-letter';
import type { Mail } from '../../../kernel/mail.ts';

/** A letter as the mailer takes it. */
export function renderMail(letter: Letter, to: string): Mail {
  return { to, ...renderLetter(letter) };
}
