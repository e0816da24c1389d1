import { type Letter, renderLetter } from '@linkoteca/domain/mail-templates';
import type { Mail } from '../../../kernel/mail.ts';

/** A letter as the mailer takes it. */
export function renderMail(letter: Letter, to: string): Mail {
  return { to, ...renderLetter(letter) };
}
