import type { Encoding } from './create-document-cache.ts';

/** The best encoding that a client takes (RFC 9110, section 12.5.3); 'identity' when it names none of ours. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const refused = new Set<string>();
  const wanted = new Set<string>();
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    (isRefused ? refused : wanted).add(coding);
  }
  const takes = (coding: string) => !refused.has(coding) && (wanted.has(coding) || wanted.has('*'));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}
