import * as v from 'valibot';
import { typedText } from './text-field.ts';

/** An address someone typed: trimmed, lower case (as it is stored and compared), at most 254 characters (RFC 5321). */
export const emailSchema = v.pipe(
  typedText('Email inválido'),
  v.trim(),
  v.toLowerCase(),
  v.email('Email inválido'),
  v.maxLength(254, 'Email inválido'),
);
