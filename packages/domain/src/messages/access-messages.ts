/** Texts of section 8, 'Access', to the letter, and what stands beside them. */
export const ACCESS_MESSAGES = {
  checking: 'Verificando acesso...',
  checkFailed: 'Erro ao verificar acesso à categoria',
  revokedOrUnavailable: 'Acesso à categoria revogado ou não disponível',
  notFound: {
    title: 'Categoria não encontrada',
    description: 'Ela pode ter sido removida ou deixado de ser compartilhada.',
  },
  revoked: { title: 'Acesso revogado', description: 'Você não tem mais acesso a esta categoria.' },
  unchecked: {
    title: 'Não conseguimos abrir a categoria',
    description: 'Não deu para conferir o seu acesso a ela. Tente de novo em instantes.',
  },
  denied: {
    title: 'Acesso negado',
    member: 'Você não tem permissão para visualizar esta categoria.',
    visitor: 'Esta categoria requer acesso restrito. Por favor, faça login para visualizar.',
  },
  retry: 'Tentar de novo',
  signIn: 'Entrar',
  signUp: 'Criar Conta',
  home: 'Ir para o início',
  openLibrary: 'Abrir meus links',
  openOwn: 'Abrir no organizador',
  restricted: 'Compartilhamento Restrito',
} as const;

/** Whose account was refused: people have several. */
export function describeSignedInAs(email: string): string {
  return `Você entrou como ${email}.`;
}

/** Words of 'Copiar para minha biblioteca'. */
export const COPY_MESSAGES = {
  action: 'Copiar para minha biblioteca',
  copying: 'Copiando...',
  title: 'Copiar para minha biblioteca',
  searchFolder: 'Buscar pasta',
  folders: 'Pastas',
  noFolder: 'Nenhuma pasta encontrada',
  newFolder: 'Nova pasta',
  failed: 'Não foi possível copiar a categoria',
  failedHint: 'Tente de novo em instantes.',
  folderGone: 'Pasta não encontrada',
  tooMany: 'Uma cópia leva no máximo 20.000 links.',
  openCopy: 'Abrir minha cópia',
  undone: 'Cópia desfeita',
  undoFailed: 'Não foi possível desfazer a cópia',
} as const;

/** 'Categoria copiada para {pasta}'. */
export function describeCopied(folderName: string): string {
  return `Categoria copiada para ${folderName}`;
}
