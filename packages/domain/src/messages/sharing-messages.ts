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

/** Words on sharing that stand on the page itself, outside its dialog. */
export const SHARING_WORDS = {
  share: 'Compartilhar',
  restrictedBadge: 'Compartilhamento Restrito',
  publicBadge: 'Pública',
  copy: 'Copiar link',
  upgrade: 'Upgrade',
  gateReason: 'Compartilhar faz parte dos planos Plus e Pro.',
} as const;

/** Words for whoever a category is shared with: leaving it, coming back, and which one opens on the free plan. */
export const RECEIVED_SHARE_MESSAGES = {
  loadFailed: 'Não foi possível carregar o que compartilham com você',
  leave: 'Sair deste compartilhamento',
  leaveFailed: 'Não foi possível sair do compartilhamento',
  returned: 'O compartilhamento está de volta',
  returnFailed: 'Não foi possível voltar ao compartilhamento',
  choose: 'Abrir esta',
  chooseReason: 'Você também pode abrir esta no lugar da outra, e trocar quando quiser.',
  chooseFailed: 'Não foi possível abrir a categoria',
  left: 'Você saiu deste compartilhamento.',
  accept: 'Aceitar de novo',
  accepted: 'Pronto. Quem compartilha já pode convidar você de novo.',
  tryAgain: 'Tente de novo em instantes.',
} as const;

/** 'Você saiu de “Receitas”' */
export function describeLeft(name: string): string {
  return `Você saiu de “${name}”`;
}

/** The name of a row's menu, read aloud. */
export function describeShareActions(name: string): string {
  return `Ações da categoria compartilhada ${name}`;
}
