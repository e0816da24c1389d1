import type { SharingMode } from './sharing-mode.ts';

/** Words on sharing that stand on the page itself, outside its dialog. */
export const SHARING_WORDS = {
  share: 'Compartilhar',
  restrictedBadge: 'Compartilhamento Restrito',
  publicBadge: 'Pública',
  copy: 'Copiar link',
  upgrade: 'Upgrade',
  gateReason: 'Compartilhar faz parte dos planos Plus e Pro.',
} as const;

/** What a row of the sidebar adds for screen readers; null for what nobody shares. */
export function describeSharingMark(mode: SharingMode): string | null {
  if (mode === 'private') return null;
  return mode === 'public' ? 'compartilhada por link' : 'compartilhada com e-mails';
}
