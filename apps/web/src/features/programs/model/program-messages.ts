/** What a program may do, as the person reads it who decides. Words that this app does not know are shown as they are. */
const ALLOWED: Readonly<Record<string, string>> = {
  openid: 'Saber quem você é',
  email: 'Ver seu e-mail',
  profile: 'Ver seu nome e sua foto',
  'links:read': 'Ver suas pastas, categorias, links e tags, e o que compartilham com você',
  'links:write': 'Adicionar, mudar e excluir pastas, categorias, links e tags',
  share: 'Ver e mudar com quem suas pastas e categorias são compartilhadas',
};

/** One line a thing that it may do. */
export function describeScope(scope: string): string {
  return ALLOWED[scope] ?? scope.slice(0, 60);
}

/** /oauth/consent: a program asks. */
export const CONSENT_MESSAGES = {
  title: 'Permitir um programa',
  /** The name is a program's own choice: it stands alone, in its own box, and never inside a sentence of ours. */
  asks: 'Um programa quer usar sua conta da Linkoteca',
  nameless: 'Programa sem nome',
  unproven: 'O nome e o endereço são o que o programa diz de si. Só permita se foi você quem começou.',
  may: 'Ele poderá:',
  mayNot:
    'Não poderá ver seus arquivos, mudar sua senha ou seu e-mail, pagar ou excluir sua conta. Você pode desconectá-lo quando quiser, no seu perfil.',
  allow: 'Permitir',
  allowing: 'Permitindo...',
  deny: 'Agora não',
  leaving: 'Voltando ao programa...',
  gone: 'Este pedido não vale mais',
  goneWhy:
    'Ele vale por dez minutos e uma única resposta. Volte ao programa e comece de novo. O que você já permitiu está no seu perfil.',
  unread: 'Não foi possível ler o pedido',
  unreadWhy: 'Verifique sua conexão e tente de novo.',
  failed: 'Não foi possível responder. Tente de novo.',
  away: 'O endereço do programa não é seguro. Nada foi permitido.',
} as const;

/** 'Você está na conta ana@exemplo.com' */
export function describeAccount(email: string): string {
  return `Você está na conta ${email}`;
}

/** Profile, tab Programas. */
export const PROGRAM_MESSAGES = {
  title: 'Programas conectados',
  lead: 'Programas que você deixou usar sua conta. Não usa mais algum? Desconecte.',
  none: 'Nenhum programa usa sua conta.',
  disconnect: 'Desconectar',
  disconnecting: 'Desconectando...',
  disconnected: 'Programa desconectado',
  disconnectFailed: 'Não foi possível desconectar o programa. Tente de novo.',
  loadFailed: 'Não foi possível carregar seus programas',
  loadFailedWhy: 'Verifique sua conexão e tente de novo.',
} as const;

/** Profile, tab Programas: the addresses that assistants speak to. */
export const ASSISTANT_MESSAGES = {
  title: 'Assistentes de IA',
  lead: 'Cole um destes endereços no Claude, no ChatGPT, no Cursor ou em outro programa que aceite servidores MCP. Você entra aqui e permite, e o assistente age só na sua biblioteca.',
  reads: 'Buscar e ler seus links',
  writes: 'Também guardar, organizar e excluir (a Lixeira guarda por 30 dias)',
  shares: 'Além de tudo isso, compartilhar categorias por link ou por email',
  copy: 'Copiar endereço',
} as const;

/** A personal token is called a key here: that is the word people have for it. */
export const TOKEN_MESSAGES = {
  title: 'Chaves pessoais',
  lead: 'Para suas próprias automações, no lugar da senha. Cada chave faz só o que você marcar, e acaba sozinha.',
  documentation: 'Como usar a API',
  none: 'Você não tem chaves.',
  name: 'Nome',
  namePlaceholder: 'Para que serve, por exemplo: cópia de casa',
  may: 'O que ela pode fazer',
  lasts: 'Vale por',
  create: 'Criar chave',
  creating: 'Criando...',
  nameMissing: 'Dê um nome à chave.',
  nameLong: 'O nome pode ter no máximo 100 caracteres.',
  nothing: 'Marque o que ela pode fazer.',
  createFailed: 'Não foi possível criar a chave. Tente de novo.',
  tooMany: 'Você já tem 20 chaves. Revogue uma que não usa mais.',
  created: 'Copie a chave agora: ela não será mostrada de novo.',
  copy: 'Copiar',
  copied: 'Chave copiada',
  copyFailed: 'Não foi possível copiar. Selecione a chave e copie.',
  hide: 'Já copiei',
  own: 'A chave nova',
  revoke: 'Revogar',
  revoking: 'Revogando...',
  revoked: 'Chave revogada',
  revokeFailed: 'Não foi possível revogar a chave. Tente de novo.',
  loadFailed: 'Não foi possível carregar suas chaves',
  loadFailedWhy: 'Verifique sua conexão e tente de novo.',
} as const;

/** For how many days a token may last, with what the choice says. */
export const TOKEN_LIFETIMES = [
  { days: 30, label: '30 dias' },
  { days: 90, label: '90 dias' },
  { days: 365, label: '1 ano' },
] as const;

/** 'Último uso: hoje às 14:32', or that there was none. */
export function describeUse(moment: string | null): string {
  return moment === null ? 'Ainda sem uso' : `Último uso: ${moment}`;
}

/** 'Permitido em 05/03/2026' */
export function describeGranted(date: string): string {
  return `Permitido em ${date}`;
}

/** 'Vale até 05/03/2026' */
export function describeEnd(date: string): string {
  return `Vale até ${date}`;
}
