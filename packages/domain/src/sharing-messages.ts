/** Texts of sections 2, 6 and 8 on sharing, to the letter. */
export const SHARING_MESSAGES = {
  loadFailed: 'Não foi possível carregar as configurações de compartilhamento',
  saveFailed: 'Não foi possível salvar as configurações de compartilhamento',
  saved: 'Configurações de compartilhamento salvas',
  unavailable: 'Recurso indisponível',
  receivedLimit: {
    title: 'Limite de categorias compartilhadas atingido',
    description: 'Faça upgrade para um plano superior para receber mais compartilhamentos',
  },
  limitedAccess: 'Acesso limitado',
  limitedAccessReason:
    'No plano Free você pode visualizar apenas 1 categoria compartilhada. Veja os planos para abrir as outras.',
  invalidEmail: 'Por favor, insira um email válido',
  duplicateEmail: 'Este email já foi adicionado',
  noneReceived: 'Nenhuma categoria compartilhada',
  unknownOwner: 'Usuário',
} as const;

/** 'Por: {owner}' below a category shared with the viewer. */
export function describeOwner(owner: string | null): string {
  return `Por: ${owner?.trim() || SHARING_MESSAGES.unknownOwner}`;
}

/** What a category shared with the viewer is, in full; `date` as 05/03/2026. */
export function describeShare(name: string, date: string): string {
  return `${name}, compartilhada com você em ${date}`;
}

/** 'Compartilhado por: {owner}' in the header of a category shared with the viewer. */
export function describeSharedBy(owner: string | null): string {
  return `Compartilhado por: ${owner?.trim() || SHARING_MESSAGES.unknownOwner}`;
}
