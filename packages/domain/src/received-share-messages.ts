/** Words for whoever a category is shared with: leaving it, coming back, and which one opens on the free plan. */
export const RECEIVED_SHARE_MESSAGES = {
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
