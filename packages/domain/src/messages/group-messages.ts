import { formatCount } from '../formats.ts';

/** Words of groups: lists of people that folders are shared with at once. */
export const GROUP_MESSAGES = {
  title: 'Grupos',
  about: 'Listas de pessoas para compartilhar uma pasta de uma vez. Só você vê seus grupos.',
  none: 'Nenhum grupo ainda. Crie um para sua turma ou sua equipe.',
  create: 'Novo grupo',
  edit: 'Editar grupo',
  name: 'Nome do grupo',
  namePlaceholder: 'Turma 9B',
  nameMissing: 'Dê um nome ao grupo',
  nameTaken: 'Você já tem um grupo com este nome',
  nameLong: 'O nome tem no máximo 100 caracteres',
  people: 'Pessoas do grupo',
  ownEmail: 'Você não precisa estar no grupo',
  manage: 'Gerenciar grupos',
  back: 'Voltar à pasta',
  listLabel: 'Grupos com acesso',
  addHint: 'Dê acesso a um grupo:',
  loadFailed: 'Não foi possível carregar seus grupos',
  saveFailed: 'Não foi possível salvar o grupo',
  saved: 'Grupo salvo',
  deleted: 'Grupo excluído',
  deleteFailed: 'Não foi possível excluir o grupo',
  restoreFailed: 'Não foi possível devolver o grupo',
  shareFailed: 'Não foi possível dar acesso ao grupo',
  endFailed: 'Não foi possível tirar o acesso do grupo',
  byGroup: 'por um grupo',
} as const;

/** '28 pessoas' */
export function describeGroupSize(count: number): string {
  return formatCount(count, 'pessoa', 'pessoas');
}

/** '28 pessoas · em 2 pastas' */
export function describeGroup(people: number, folders: number): string {
  const size = describeGroupSize(people);
  return folders === 0 ? size : `${size} · em ${formatCount(folders, 'pasta', 'pastas')}`;
}

/** 'Turma 9B tem acesso': said when a folder came to be shared with a group. */
export function describeSharedWithGroup(name: string): string {
  return `${name} agora tem acesso`;
}

/** 'Turma 9B não tem mais acesso' */
export function describeEndedGroup(name: string): string {
  return `${name} não tem mais acesso`;
}

/** The name of a button that shares with a group, read aloud. */
export function describeGivingAccess(name: string, people: number): string {
  return `Dar acesso a ${name}, ${describeGroupSize(people)}`;
}
