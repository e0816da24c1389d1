/** What a provider is called, alone and with its article. */
export interface ProviderWords {
  readonly label: string;
  readonly withArticle: string;
}

const continueWith = ({ label }: ProviderWords) => `Continuar com ${label}`;

/** As its article says it. */
const pronounOf = ({ withArticle }: ProviderWords) => (withArticle.startsWith('a ') ? 'ela' : 'ele');

const disjunction = new Intl.ListFormat('pt-BR', { type: 'disjunction' });
const anyOf = (providers: readonly ProviderWords[]) =>
  disjunction.format(providers.map(({ withArticle }) => withArticle));

/** Texts about signing in with another provider. */
export const PROVIDER_MESSAGES = {
  continueWith,
  opening: ({ withArticle }: ProviderWords) => `Abrindo ${withArticle}...`,
  failed: ({ label, withArticle }: ProviderWords) => ({
    title: `Erro no login com ${label}`,
    description: `Não foi possível fazer login com ${withArticle}.`,
  }),
  /** @param offered not empty: which of them it was, nobody knows any more. */
  tooLate: (offered: readonly ProviderWords[]) =>
    `Esta entrada com ${offered.map(({ withArticle }) => withArticle).join(' ou ')} expirou ou já foi usada. Toque em ${offered.map(continueWith).join(' ou ')} para tentar de novo.`,
  confirmWith: ({ withArticle }: ProviderWords) => `Confirmar com ${withArticle}`,
  /** For somebody who may have no password; `used` is empty for a provider without a name here. */
  noPasswordYet: (used: readonly ProviderWords[]) =>
    `${used.length > 0 ? `Você entra com ${used.map(({ withArticle }) => withArticle).join(' e ')}. ` : ''}Se ainda não tem uma senha, enviamos um link para criar.`,
  /** For the privacy page. */
  received: (providers: readonly ProviderWords[]) => {
    const [one] = providers;
    const from = one !== undefined && providers.length === 1 ? `d${pronounOf(one)}` : 'de quem você escolher';
    return `Se você entra com ${anyOf(providers)}, recebemos ${from} o e-mail, o nome e o endereço da foto.`;
  },
  confirmsWho: (provider: ProviderWords) =>
    `confirma quem você é, se escolher entrar com ${pronounOf(provider)}; a sua foto, então, vem dos servidores d${pronounOf(provider)}.`,
} as const;
