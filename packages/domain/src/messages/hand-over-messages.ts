import { formatCount } from '../formats.ts';

/** Words of folders that change their owner. */
export const HAND_OVER_MESSAGES = {
  title: 'Passar a pasta adiante',
  hint: 'A pasta e tudo o que está nela passam a ser de quem aceitar. Você continua como quem gerencia.',
  to: 'Para quem',
  nobody: 'Só quem pode editar ou gerenciar a pasta pode recebê-la.',
  offer: 'Oferecer pasta',
  withdraw: 'Retirar oferta',
  offered: 'Oferta feita',
  withdrawn: 'Oferta retirada',
  offerFailed: 'Não foi possível oferecer a pasta',
  endFailed: 'Não foi possível encerrar a oferta',
  available: 'Pastas que podem ser suas',
  accept: 'Aceitar',
  decline: 'Recusar',
  takeOver: 'Assumir pasta',
  taking: 'Recebendo…',
  declined: 'Oferta recusada',
  takeFailed: 'Não foi possível receber a pasta',
} as const;

/** 'Aguardando a resposta de ana@exemplo.com.' */
export function describeStandingOffer(email: string): string {
  return `Aguardando a resposta de ${email}.`;
}

/** What is offered, or left behind. */
export function describeAvailable(folder: {
  readonly name: string;
  readonly ownerName: string | null;
  readonly isClosed: boolean;
}): string {
  const owner = folder.ownerName ?? 'Quem compartilha';
  return folder.isClosed
    ? `A conta de quem compartilhava a pasta ${folder.name} foi encerrada, e a pasta vai com ela.`
    : `${owner} quer passar a pasta ${folder.name} para você.`;
}

/** What it would add: 'No seu plano contam então mais 3 categorias e 120 links.' */
export function describeAddition(categories: number, links: number): string {
  const both = `${formatCount(categories, 'categoria', 'categorias')} e ${formatCount(links, 'link', 'links')}`;
  return `Passam a contar no seu plano ${both}.`;
}

/** Why the plan has no room, by the hint of the refusal. */
export function describeNoRoom(hint: string): string {
  switch (hint) {
    case 'plan_sharing':
      return 'Seu plano não inclui pastas compartilhadas.';
    case 'plan_limit_links':
      return 'Seu plano não tem lugar para tantos links.';
    case 'plan_limit_categories':
      return 'Seu plano não tem lugar para tantas categorias.';
    case 'plan_limit_tags':
      return 'Seu plano não tem lugar para tantas tags.';
    default:
      return 'Seu plano não tem lugar para tantas pessoas em uma pasta.';
  }
}

/** 'A pasta Turma agora é sua' */
export function describeTaken(name: string): string {
  return `A pasta ${name} agora é sua`;
}
