/** Words of the page that ends the mails about sharing, and allows them again. */
export const SHARE_MAIL_MESSAGES = {
  title: 'Avisos de compartilhamento',
  question:
    'Quando alguém compartilha uma categoria com você, a Linkoteca avisa por e-mail. Quer parar de receber esses avisos?',
  stop: 'Não receber mais avisos',
  stopping: 'Salvando...',
  resume: 'Voltar a receber avisos',
  stillOpens: 'As categorias compartilhadas com você continuam abertas na Linkoteca.',
  gone: 'Este link não vale mais',
  failed: 'Não foi possível salvar sua escolha. Tente de novo em instantes.',
} as const;

/** What was chosen, for which address. */
export function describeShareMails(email: string, stopped: boolean): string {
  return stopped
    ? `${email} não recebe mais avisos de compartilhamento, de ninguém.`
    : `${email} volta a receber avisos de compartilhamento.`;
}
