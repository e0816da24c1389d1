/** What forms say about the captcha, where the installation asks for one. */
export const CAPTCHA_MESSAGES = {
  missing: 'Complete a verificação de segurança e tente de novo.',
  failed: 'A verificação de segurança não deu certo. Tente de novo.',
  unavailable: 'A verificação de segurança não abriu. Veja sua conexão ou seu bloqueador de anúncios.',
} as const;
