/** Which mails a page of their own ends: those about sharing, or the daily one. */
export type EndedMail = 'share' | 'daily';

interface UnsubscribeMessages {
  readonly title: string;
  readonly question: string;
  readonly stop: string;
  readonly resume: string;
  readonly stillOpens: string;
  /** What was chosen, for which address. */
  readonly describe: (email: string, stopped: boolean) => string;
}

/** Words of the page that ends mails, and allows them again. */
export const UNSUBSCRIBE_MESSAGES: Readonly<Record<EndedMail, UnsubscribeMessages>> = {
  share: {
    title: 'Avisos de compartilhamento',
    question:
      'Quando alguém compartilha uma categoria com você, a Linkoteca avisa por e-mail. Quer parar de receber esses avisos?',
    stop: 'Não receber mais avisos',
    resume: 'Voltar a receber avisos',
    stillOpens: 'As categorias compartilhadas com você continuam abertas na Linkoteca.',
    describe: (email, stopped) =>
      stopped
        ? `${email} não recebe mais avisos de compartilhamento, de ninguém.`
        : `${email} volta a receber avisos de compartilhamento.`,
  },
  daily: {
    title: 'Resumo diário por e-mail',
    question:
      'Uma vez por dia, no máximo, a Linkoteca conta por e-mail o que adicionaram ao que é compartilhado com você. Quer parar de receber esse resumo?',
    stop: 'Não receber mais o resumo',
    resume: 'Voltar a receber o resumo',
    stillOpens: 'O que é compartilhado com você continua aberto na Linkoteca.',
    describe: (email, stopped) =>
      stopped ? `${email} não recebe mais o resumo diário.` : `${email} volta a receber o resumo diário.`,
  },
};

export const UNSUBSCRIBE_PROGRESS = {
  saving: 'Salvando...',
  gone: 'Este link não vale mais',
  failed: 'Não foi possível salvar sua escolha. Tente de novo em instantes.',
} as const;
