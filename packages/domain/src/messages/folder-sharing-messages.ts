import type { FolderRole } from '../folder-roles.ts';
import { formatCount, formatNumber } from '../formats.ts';
import { PLANS, type Plan } from '../plans.ts';

export const FOLDER_ROLE_WORDS: Readonly<Record<FolderRole, string>> = {
  viewer: 'Pode ver',
  editor: 'Pode editar',
  manager: 'Pode gerenciar',
};

/** Words of shared folders, for their owners, their managers and whoever they are shared with. */
export const FOLDER_SHARING_MESSAGES = {
  title: 'Compartilhar pasta',
  roleField: 'O que podem fazer',
  invite: 'Convidar',
  listLabel: 'Pessoas com acesso',
  nobody: 'Só você está nesta pasta.',
  ownEmail: 'Você já tem acesso à pasta',
  loadFailed: 'Não foi possível carregar as pessoas desta pasta',
  inviteFailed: 'Não foi possível convidar',
  changeFailed: 'Não foi possível mudar a permissão',
  removeFailed: 'Não foi possível remover a pessoa',
  returnFailed: 'Não foi possível devolver o acesso',
  reduceOnly:
    'Seu plano atual não inclui compartilhamento: quem já tem acesso só pode ver, e ninguém mais entra.',
  notIncluded: 'Compartilhar pastas faz parte dos planos Plus e Pro.',
  heldBack: 'Categorias reservadas',
  heldBackHint: 'O que estiver marcado só você vê.',
  heldBackFailed: 'Não foi possível mudar a categoria',
  leave: 'Sair da pasta',
  leaveTitle: 'Sair da pasta?',
  leaveReason:
    'Você deixa de ver esta pasta. O que você adicionou continua nela. Para voltar, peça um novo convite.',
  leaveFailed: 'Não foi possível sair da pasta',
  left: 'Você saiu da pasta',
  noCategories: 'Nenhuma categoria ainda',
} as const;

/** 'Com o plano Plus, até 3 pessoas por pasta.' */
export function describeFolderRoom(plan: Pick<Plan, 'name' | 'maxFolderMembers'>): string {
  return `Com o plano ${plan.name}, até ${formatCount(plan.maxFolderMembers, 'pessoa', 'pessoas')} por pasta.`;
}

/** What another plan would hold, where the folder is full: 'O plano Pro permite até 100.'; nothing where none holds more. */
export function describeRoomierFolders(max: number): string {
  const roomier = Object.values(PLANS).find(({ maxFolderMembers }) => maxFolderMembers > max);
  return roomier ? `O plano ${roomier.name} permite até ${roomier.maxFolderMembers}.` : '';
}

/** The refusal of one person too many. */
export function describeFullList(max: number): string {
  return `Limite de ${formatCount(max, 'pessoa', 'pessoas')} por pasta atingido`;
}

/** A folder of somebody else's among one's own: 'Cozinha (de Dona)'. */
export function describeFolderOf(name: string, owner: string | null): string {
  return `${name} (${owner?.trim() ? `de ${owner.trim()}` : 'compartilhada'})`;
}

/** Said to whoever adds to somebody's folder when its owner's plan is full. */
export function describeFullFolder(max: number, what: 'links' | 'categories'): string {
  const things = what === 'links' ? 'links' : 'categorias';
  return `O plano de quem compartilha esta pasta guarda até ${formatNumber(max)} ${things}, e está cheio.`;
}

/** '2 pessoas convidadas' */
export function describeInvited(count: number): string {
  return formatCount(count, 'pessoa convidada', 'pessoas convidadas');
}

/** What comes of it for them, said below. The same whoever they are: it tells nothing of who takes such mails. */
export function describeInvitationMails(count: number): string {
  return count === 1 ? 'Enviamos um convite por e-mail.' : 'Enviamos um convite por e-mail a cada uma.';
}

/** 'ana@exemplo.com não tem mais acesso' */
export function describeRemovedMember(email: string): string {
  return `${email} não tem mais acesso`;
}

/** What others have added since one looked: '3 links novos', 'mais de 99 links novos'. */
export function describeNewLinks(count: number): string {
  return count > 99 ? 'mais de 99 links novos' : formatCount(count, 'link novo', 'links novos');
}

/** The name of a field, read aloud. */
export function describeRoleOf(email: string): string {
  return `Permissão de ${email}`;
}

/** The name of a shared folder's menu, read aloud. */
export function describeFolderActions(name: string): string {
  return `Ações da pasta compartilhada ${name}`;
}
