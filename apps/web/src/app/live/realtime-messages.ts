/** What the app says about changes that arrive by themselves. */
export const REALTIME_MESSAGES = {
  /** The badge: something on the screen has just changed elsewhere. */
  badge: 'Atualizado agora',
  /** The same for who listens to the screen. */
  announcement: 'Sua biblioteca mudou em outro lugar e foi atualizada.',
  state: {
    connecting: 'Conectando...',
    live: 'Conectado: as mudanças chegam sozinhas',
    interrupted: 'Conexão interrompida: tentando de novo',
    stopped: 'Nenhuma inscrição ativa',
  },
} as const;

/** Words of /test-realtime. */
export const TEST_REALTIME_MESSAGES = {
  title: 'Teste de tempo real',
  lead: 'Abra esta página em dois navegadores com a mesma conta: o que você adiciona em um aparece no outro sem recarregar.',
  addFolder: 'Adicionar pasta de teste',
  addCategory: 'Adicionar categoria de teste',
  addLink: 'Adicionar link de teste',
  adding: 'Adicionando...',
  failed: 'Não foi possível adicionar o item de teste',
  needsFolder: 'Crie uma pasta de teste primeiro',
  needsCategory: 'Crie uma categoria de teste primeiro',
  connection: 'Conexão',
  subscriptions: 'Inscrições',
  cancel: 'Cancelar',
  resume: 'Retomar',
  cancelAll: 'Cancelar todas',
  resumeAll: 'Retomar todas',
  cancelled: 'Cancelada',
  waiting: 'Conectando',
  live: 'Ativa',
  log: 'Eventos recebidos',
  clearLog: 'Limpar registro',
  emptyLog: 'Nenhum evento ainda. Adicione um item aqui ou em outro navegador.',
  logLevel: 'Registro no console do navegador',
  logLevels: {
    off: 'Nada',
    error: 'Erros',
    warn: 'Erros e avisos',
    info: 'Também informações',
    debug: 'Também detalhes',
    realtime: 'Tudo, também o tempo real',
  },
} as const;

const TABLE_NAMES: Readonly<Record<string, string>> = {
  folders: 'Pastas',
  categories: 'Categorias',
  links: 'Links',
  favorites: 'Favoritos',
  folder_looks: 'Cores e emojis das pastas',
  manual_order: 'Ordem dos links',
  saved_searches: 'Buscas salvas',
  subscribers: 'Assinatura',
  tags: 'Tags',
  shared_with: 'Compartilhados comigo',
  received_categories: 'Categorias recebidas',
  received_links: 'Links da categoria recebida',
  invitations: 'Pessoas convidadas',
  folder_members: 'Pessoas de pastas compartilhadas',
  own_folder_members: 'Pessoas das minhas pastas',
};

const OPERATION_NAMES: Readonly<Record<string, string>> = {
  INSERT: 'Criação',
  UPDATE: 'Alteração',
  DELETE: 'Exclusão',
};

/** A table or a subscription as people know it; its own name where they do not. */
export function describeTable(name: string): string {
  return TABLE_NAMES[name] ?? name;
}

/** What happened to a row. */
export function describeOperation(operation: string): string {
  return OPERATION_NAMES[operation] ?? operation;
}

/** Names of what the test buttons add. @param moment tells them apart. */
export function nameTestItem(kind: 'folder' | 'category' | 'link', moment: string): string {
  const names = { folder: 'Pasta de teste', category: 'Categoria de teste', link: 'Link de teste' };
  return `${names[kind]} ${moment}`;
}
