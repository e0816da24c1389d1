import { formatBytes } from '../format-bytes.ts';
import { PICTURE_LIMITS } from '../picture-limits.ts';

/** Words about the picture of a person, in their profile. */
export const PICTURE_MESSAGES = {
  add: 'Adicionar foto',
  change: 'Trocar foto',
  remove: 'Remover foto',
  hint: 'JPEG, PNG, WebP, GIF ou AVIF. Você também pode arrastar ou colar uma foto aqui. Só você a vê.',
  dropNow: 'Solte a foto aqui',
  title: 'Ajustar foto',
  area: 'Recorte da foto',
  areaHint: 'Arraste para posicionar. No teclado: setas movem, + e − aproximam e afastam.',
  zoom: 'Aproximar',
  saving: 'Salvando...',
  saved: 'Foto atualizada',
  removed: 'Foto removida',
  failed: 'Não conseguimos salvar a foto. O recorte continua aqui; tente de novo.',
  removeFailed: 'Não foi possível remover a foto. Tente de novo.',
  offline: 'Você está sem conexão. Conecte-se para mudar a foto.',
  reading: 'Abrindo a foto...',
} as const;

/** Why a file cannot become a picture, and what can be done. */
export const PICTURE_REFUSALS = {
  drawing: 'SVG é um desenho, não uma foto. Salve como PNG ou JPEG e tente de novo.',
  not_a_picture:
    'Este arquivo não é uma foto que a gente consiga abrir. Escolha JPEG, PNG, WebP, GIF ou AVIF.',
  too_heavy: `A foto é pesada demais: o máximo é ${formatBytes(PICTURE_LIMITS.fileBytes)}.`,
  too_large: 'A foto tem pixels demais. Salve uma versão menor e tente de novo.',
  too_small: 'A foto é pequena demais: ela precisa de pelo menos 32 pixels de cada lado.',
  broken: 'Não conseguimos abrir esta foto. O arquivo pode estar danificado.',
} as const;

/** What stands by the picture where the plan's storage is full. */
export function describeFullStorage(megabytes: number): string {
  return `Seu espaço de ${megabytes} MB está cheio. O recorte continua aqui.`;
}
