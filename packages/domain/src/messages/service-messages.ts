import { CATEGORY_MESSAGES } from './category-messages.ts';
import { FOLDER_MESSAGES } from './folder-messages.ts';
import { LINK_MESSAGES } from './link-messages.ts';

/** What a service says of an action that it refused: section 8, 'Service errors'. */
export interface ServiceWords {
  /** 404: what the action was about is not there (any more). */
  readonly notFound: string;
  /** More to say of it when it was there a moment ago. */
  readonly gone: string;
  /** It changed elsewhere, and reading how failed. */
  readonly unread: string;
  /** What it should have gone into is not there (any more). */
  readonly placeNotFound: string;
  /** 400: refused by a rule of the data. */
  readonly invalid: string;
  /** 500: the service itself failed. */
  readonly failed: string;
  /** The screen's own text, when nothing is known of what went wrong. */
  readonly unknown: string;
}

type Names = Pick<ServiceWords, 'notFound' | 'gone' | 'unread' | 'placeNotFound'>;

const folder: Names = {
  notFound: FOLDER_MESSAGES.notFound,
  gone: 'A pasta foi excluída em outro lugar.',
  unread: FOLDER_MESSAGES.loadOneFailed,
  placeNotFound: FOLDER_MESSAGES.notFound,
};

const category: Names = {
  notFound: CATEGORY_MESSAGES.notFound,
  gone: 'A categoria foi excluída em outro lugar.',
  unread: CATEGORY_MESSAGES.loadOneFailed,
  placeNotFound: FOLDER_MESSAGES.notFound,
};

const link: Names = {
  notFound: LINK_MESSAGES.notFound,
  gone: 'O link foi excluído em outro lugar.',
  unread: 'Erro ao carregar dados do link',
  placeNotFound: CATEGORY_MESSAGES.notFound,
};

const words = (names: Names, invalid: string, failed: string, unknown = failed): ServiceWords => ({
  ...names,
  invalid,
  failed,
  unknown,
});

/**
 * Texts to the letter. 'Erro ao excluir categoria' is the title of its toast already. The catalogue has none for refused data of a category, which
 * follow those of a folder.
 */
export const SERVICE_WORDS = {
  folder: {
    create: words(folder, 'Dados inválidos para criação de pasta', 'Erro ao criar pasta'),
    update: words(folder, 'Dados inválidos para atualização de pasta', 'Erro ao atualizar pasta'),
    delete: words(folder, 'Erro ao excluir pasta', 'Erro ao excluir pasta'),
  },
  category: {
    create: words(category, 'Dados inválidos para criação de categoria', 'Erro ao criar categoria'),
    update: words(category, 'Dados inválidos para atualização de categoria', 'Erro ao atualizar categoria'),
    share: words(category, 'Email inválido', CATEGORY_MESSAGES.shareFailed),
    unshare: words(category, CATEGORY_MESSAGES.unshareFailed, CATEGORY_MESSAGES.unshareFailed),
  },
  link: {
    create: words(
      link,
      'Dados inválidos para criação de link',
      'Erro ao criar link',
      'Erro ao adicionar link',
    ),
    update: words(link, 'Dados inválidos para atualização de link', 'Erro ao atualizar link'),
    delete: words(link, 'Erro ao excluir links', 'Erro ao excluir links'),
    deleteMany: words(
      link,
      'Nenhum link para excluir',
      'Erro ao excluir links',
      'Erro ao excluir os links selecionados',
    ),
  },
} as const satisfies Record<string, Record<string, ServiceWords>>;
