/** Keys that do one thing together: 'mod' and 'shift' as nameKey takes them, everything else as it stands on the key. */
export type KeyCombination = readonly string[];

export interface Shortcut {
  /** Any one of these. */
  readonly keys: readonly [KeyCombination, ...KeyCombination[]];
  readonly does: string;
}

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** Every shortcut of the product, for the sheet that '?' opens. A test looks for those that are missing here. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: 'Em qualquer lugar',
    shortcuts: [
      { keys: [['/'], ['mod', 'K']], does: 'Buscar' },
      { keys: [['mod', 'B']], does: 'Barra lateral' },
      { keys: [['mod', 'V']], does: 'Colar links' },
      { keys: [['mod', 'Z']], does: 'Desfazer' },
      { keys: [['?']], does: 'Mostrar os atalhos' },
    ],
  },
  {
    title: 'Em uma categoria',
    shortcuts: [
      { keys: [['N']], does: 'Adicionar link' },
      { keys: [['F']], does: 'Filtrar' },
      { keys: [['V']], does: 'Alternar entre cartões e lista' },
      { keys: [['X']], does: 'Começar ou deixar a seleção' },
      { keys: [['mod', 'A']], does: 'Selecionar todos' },
      { keys: [['M']], does: 'Mover a seleção' },
      { keys: [['T']], does: 'Tags da seleção' },
      { keys: [['Esc']], does: 'Deixar a seleção' },
    ],
  },
  {
    title: 'Com um link em foco',
    shortcuts: [
      { keys: [['up'], ['down'], ['left'], ['right']], does: 'Andar' },
      { keys: [['Home'], ['End']], does: 'Início ou fim da linha' },
      {
        keys: [
          ['mod', 'Home'],
          ['mod', 'End'],
        ],
        does: 'Primeiro ou último link',
      },
      { keys: [['Page Up'], ['Page Down']], does: 'Andar uma tela' },
      { keys: [['A…Z']], does: 'Ir pelo título' },
      { keys: [['Enter']], does: 'Abrir o link' },
      { keys: [['Espaço'], ['X']], does: 'Selecionar o link' },
      {
        keys: [
          ['shift', 'up'],
          ['shift', 'down'],
        ],
        does: 'Selecionar ao andar',
      },
      {
        keys: [
          ['Alt', 'up'],
          ['Alt', 'down'],
        ],
        does: 'Mudar de lugar, na sua ordem',
      },
      { keys: [['E'], ['F2']], does: 'Editar' },
      { keys: [['I']], does: 'Ver as informações' },
      { keys: [['C']], does: 'Copiar o endereço' },
      { keys: [['S']], does: 'Favoritar ou tirar dos favoritos' },
      { keys: [['M']], does: 'Mover' },
      { keys: [['T']], does: 'Mudar as tags' },
      { keys: [['Delete']], does: 'Excluir' },
      { keys: [['shift', 'F10']], does: 'Ver as ações' },
    ],
  },
  {
    title: 'Na Entrada',
    shortcuts: [
      { keys: [['1'], ['2'], ['3'], ['4'], ['5']], does: 'Mover para a sugestão' },
      { keys: [['M']], does: 'Mover para outra categoria' },
      { keys: [['E']], does: 'Editar' },
      { keys: [['D']], does: 'Excluir' },
      { keys: [['P']], does: 'Pular' },
    ],
  },
  {
    title: 'Nas pastas',
    shortcuts: [
      { keys: [['up'], ['down']], does: 'Andar' },
      { keys: [['right'], ['left']], does: 'Abrir ou fechar a pasta' },
      { keys: [['Home'], ['End']], does: 'Primeira ou última linha' },
      { keys: [['Enter'], ['Espaço']], does: 'Abrir a categoria' },
      { keys: [['A…Z']], does: 'Ir pelo nome' },
      { keys: [['F2']], does: 'Renomear' },
      { keys: [['Delete']], does: 'Excluir' },
      { keys: [['shift', 'F10']], does: 'Ver as ações' },
    ],
  },
  {
    title: 'Na busca',
    shortcuts: [
      { keys: [['up'], ['down']], does: 'Escolher um resultado' },
      { keys: [['Home'], ['End']], does: 'Primeiro ou último' },
      { keys: [['Enter']], does: 'Abrir o link' },
      { keys: [['mod', 'Enter']], does: 'Abrir a categoria' },
      { keys: [['shift', 'Enter']], does: 'Ver todos' },
      { keys: [['>']], does: 'Procurar só comandos' },
      { keys: [['Esc']], does: 'Fechar, depois limpar' },
    ],
  },
];
