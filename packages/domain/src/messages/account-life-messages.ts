import { DELETION_WORD, RESTORE_DAYS } from '../account-life.ts';

/** Words about the life of an account: its copy, its deletion, its return. */
export const ACCOUNT_LIFE_MESSAGES = {
  restored: {
    title: 'Sua conta foi restaurada',
    description: 'Tudo está como você deixou, menos os compartilhamentos, que foram desligados.',
  },
  reactivated: {
    title: 'Sua conta foi reativada',
    description: 'Ela estava suspensa por falta de uso. Tudo está como você deixou.',
  },
  copy: {
    title: 'Baixar meus dados',
    explanation:
      'Uma cópia completa em JSON: pastas, categorias, links, compartilhamentos, perfil, preferências e assinatura. Disponível em todos os planos.',
    start: 'Baixar meus dados',
    cancel: 'Cancelar',
    preparing: 'Preparando sua cópia...',
    done: 'Sua cópia está pronta',
    canceled: 'Download cancelado',
    failed: 'Não foi possível preparar sua cópia',
    offline: 'Você está sem conexão. A cópia é feita com os dados do servidor.',
  },
  deletion: {
    title: 'Excluir conta',
    explanation: `Sua conta é fechada na hora e apagada de vez depois de ${RESTORE_DAYS} dias.`,
    open: 'Excluir minha conta',
    dialogTitle: 'Excluir sua conta?',
    consequences: [
      'Você sai da conta em todos os dispositivos.',
      'Se há uma assinatura, ela é cancelada agora e nada mais é cobrado.',
      'Tudo o que você compartilhou deixa de abrir na hora e não volta, mesmo que você restaure a conta.',
      `Por ${RESTORE_DAYS} dias, basta entrar de novo para restaurar pastas, categorias e links. Depois disso, tudo é apagado de vez.`,
    ],
    word: `Digite ${DELETION_WORD} para confirmar`,
    wordWrong: `Digite ${DELETION_WORD}, em letras maiúsculas`,
    password: 'Senha atual',
    passwordRequired: 'Senha atual é obrigatória',
    confirm: 'Excluir minha conta',
    working: 'Excluindo...',
    failed: 'Não foi possível excluir sua conta',
    /** Where nobody heard whether it was done. */
    unclear:
      'Não foi possível confirmar a exclusão. Ela pode ter sido feita. Se a sua sessão terminar aqui, foi: entrar de novo restaura a conta.',
    offline: 'Você está sem conexão. Conecte-se para excluir a conta.',
    signInAgain: 'Entre de novo para confirmar que é você',
    signInAgainHow: 'Por segurança, a última entrada tem de ser recente. Você volta para cá em seguida.',
    leaveAndSignIn: 'Sair e entrar de novo',
    leaving: 'Saindo...',
    otherAccount: (email: string) =>
      `Você entrou como ${email}, que é outra conta. Para excluir a primeira, entre com ela.`,
    farewell: 'Sua conta foi excluída',
    /** @param date empty where nobody knows it. */
    farewellUntil: (date: string) =>
      `${date === '' ? `Por ${RESTORE_DAYS} dias` : `Até ${date}`}, basta entrar de novo para restaurar suas pastas, categorias e links. Enviamos a confirmação por e-mail.`,
    restore: 'Entrar e restaurar',
  },
} as const;

/** What `delete-account` and `account-upkeep` refuse with. */
export const ACCOUNT_LIFE_REFUSALS = {
  method: 'Método não permitido',
  signIn: 'Você precisa estar autenticado para realizar esta operação',
  confirmation: `Digite ${DELETION_WORD} para confirmar a exclusão`,
  reauthenticate: 'Confirme sua senha antes de excluir a conta',
  subscription:
    'Não foi possível cancelar sua assinatura agora. Sua conta continua aberta; tente de novo em alguns minutos.',
  unavailable: 'Não foi possível excluir sua conta agora. Tente de novo em alguns minutos.',
  operator: 'Só o próprio servidor pode cuidar das contas',
} as const;
