/** What the app says without network, about new versions, and about being installed. */
export const OFFLINE_MESSAGES = {
  /** A write that does not begin. */
  writeRefused: 'Sem conexão. Tente de novo quando voltar.',
  noStart: {
    title: 'Sem conexão',
    description: 'A Linkoteca ainda não está guardada neste aparelho. Verifique sua rede e tente de novo.',
  },
  lastSeen: 'Sem conexão: você está vendo a última versão guardada neste aparelho',
  nothingKept: 'Sem conexão: nada foi guardado neste aparelho ainda',
  checkAgain: 'Tentar agora',
  categoryNotKept: {
    title: 'Esta categoria não está guardada neste aparelho',
    description: 'Abra-a uma vez com conexão e ela fica disponível também sem.',
  },
  linksNotKept: 'Sem conexão: os outros links desta categoria aparecem quando ela voltar.',
  codeMissing: {
    title: 'Não foi possível abrir esta parte',
    offline: 'Sem conexão. Tente de novo quando voltar.',
    online: 'Tente de novo em instantes; se continuar, recarregue a página.',
  },
  newVersion: {
    title: 'Nova versão disponível',
    description: 'Nada do que você digitou se perde.',
    action: 'Atualizar',
    close: 'Agora não',
  },
  install: 'Instalar aplicativo',
} as const;

/** What the app says in place of a page that only the server has. */
export const DRAWN_PAGE_MESSAGES = {
  missing: {
    title: 'Esta página não está guardada neste aparelho',
    description: 'Ela abre quando houver conexão.',
  },
} as const;
