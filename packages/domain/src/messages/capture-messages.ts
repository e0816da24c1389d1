import { formatCount, formatNumber } from '../formats.ts';

/** What the app says of saving from anywhere, of the inbox, and of what waits on a device. */
export const CAPTURE_MESSAGES = {
  inbox: 'Entrada',
  saved: 'Salvo',
  organize: 'Organizar',
  undone: 'Desfeito: não está mais na biblioteca',
  undoFailed: 'Não foi possível desfazer',
  kept: 'Guardado neste aparelho',
  keptWhy: 'Vai para a sua biblioteca quando a conexão voltar.',
  see: 'Ver',
  notKept: 'Não foi possível guardar neste aparelho',
  notKeptWhy: 'Este navegador não guarda dados. Seu texto continua aqui.',
  full: 'Já há links demais esperando neste aparelho',
  fullWhy: 'Envie ou apague os que esperam em Entrada. Seu texto continua aqui.',
  waiting: {
    title: 'Esperando para salvar',
    lead: 'Estes links estão só neste aparelho.',
    offline: 'Vão para a sua biblioteca quando a conexão voltar.',
    sending: 'Indo para a sua biblioteca…',
    retry: 'Tentar de novo',
    retryAll: 'Tentar todos de novo',
    edit: 'Editar',
    remove: 'Apagar',
    empty: 'Apagar todos',
    emptied: 'Apagados deste aparelho',
    editTitle: 'Editar link que espera',
  },
  tidy: {
    suggestions: 'Para onde vai?',
    none: 'Crie uma categoria para guardar este link fora da Entrada.',
    other: 'Outra categoria',
    edit: 'Editar',
    remove: 'Excluir',
    skip: 'Pular',
    asList: 'Ver como lista',
    done: 'Tudo no lugar',
    doneWhy: 'O que você salvar sem escolher uma categoria aparece aqui.',
    unread: 'Não foi possível carregar a Entrada',
    unreadWhy: 'Verifique sua conexão e tente de novo.',
    unseen: 'A Entrada não está guardada neste aparelho',
    unseenWhy: 'Ela abre quando houver conexão.',
  },
  window: {
    title: 'Salvar link',
    save: 'Salvar',
    name: 'Título',
    inboxHint: 'Vazio: vai para a Entrada.',
    nothing: 'Nenhum endereço para salvar',
    nothingWhy: 'Só páginas da internet (http e https) podem ser salvas.',
    alreadyHere: 'Você já tem esta página em',
    closes: 'Esta janela fecha sozinha.',
    close: 'Fechar',
    open: 'Abrir a Linkoteca',
  },
  anywhere: {
    title: 'Salvar de qualquer lugar',
    lead: 'Guarde a página que está vendo sem abrir a Linkoteca. Ela espera por você na Entrada.',
    computer: {
      title: 'No computador',
      lead: 'Arraste este botão para a barra de favoritos do navegador. Em qualquer página, um clique nele abre uma janela pequena para salvar.',
      button: 'Salvar na Linkoteca',
      dragHint: 'Arraste este botão para a barra de favoritos',
      bar: 'Não vê a barra? Tecle',
      copy: 'Copiar o código do botão',
      copied: 'Código copiado',
      copiedWhy: 'Crie um favorito e cole o código no lugar do endereço.',
      copyFailed: 'Não foi possível copiar o código',
    },
    android: {
      title: 'No Android',
      lead: 'Instale a Linkoteca e ela aparece no menu Compartilhar de todos os aplicativos.',
      steps: [
        'Abra o menu do Chrome e toque em “Adicionar à tela inicial” ou “Instalar”.',
        'Em qualquer página ou aplicativo, toque em Compartilhar.',
        'Escolha Linkoteca: o link já está na Entrada.',
      ],
    },
    ios: {
      title: 'No iPhone e no iPad',
      lead: 'Um atalho põe a Linkoteca na folha de compartilhamento. Faça uma vez, no aplicativo Atalhos:',
      steps: [
        'Toque em + e dê ao atalho o nome “Salvar na Linkoteca”.',
        'Nos detalhes do atalho, ligue “Mostrar na Folha de Compartilhamento” e deixe só URLs.',
        'Adicione a ação “Codificar URL” com “Entrada do Atalho”.',
        'Adicione a ação “Abrir URLs” com o endereço abaixo, seguido do “Texto Codificado”.',
        'No Safari, toque em Compartilhar e escolha “Salvar na Linkoteca”.',
      ],
      address: 'Endereço para o atalho',
      copy: 'Copiar endereço',
      install:
        'Para abrir a Linkoteca como aplicativo: no Safari, Compartilhar, “Adicionar à Tela de Início”.',
    },
    others: 'Outros aparelhos',
  },
  refused: {
    categoryGone: 'A categoria escolhida não existe mais. Escolha outra.',
    signedOut: 'Sua sessão terminou antes de salvar. Será enviado quando você voltar.',
  },
} as const;

/** 'Salvo' for one link, '3 links salvos' for more. */
export function describeCaptured(count: number): string {
  return count === 1 ? CAPTURE_MESSAGES.saved : `${formatNumber(count)} links salvos`;
}

/** '1 link espera neste aparelho', '3 links esperam neste aparelho'. */
export function describeWaiting(count: number): string {
  return `${formatCount(count, 'link espera', 'links esperam')} neste aparelho`;
}

/** Why links that were captured are not saved: the plan has no more room for them. */
export function describeFullForCapture(max: number): string {
  return `Seu plano chegou a ${formatCount(max, 'link', 'links')}. O link fica guardado aqui até haver espaço.`;
}

/** Why the inbox could not be made. */
export function describeNoRoomForInbox(max: number): string {
  return `Seu plano chegou a ${formatCount(max, 'categoria', 'categorias')}, e a Entrada precisa de uma. Escolha uma das suas categorias para este link.`;
}

/** '3 links para organizar'. */
export function describeInbox(count: number): string {
  return formatCount(count, 'link para organizar', 'links para organizar');
}
