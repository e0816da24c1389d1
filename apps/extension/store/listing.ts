import type { Browser } from '../src/manifest.ts';

export type Language = 'pt-BR' | 'en';
export const LANGUAGES: readonly Language[] = ['pt-BR', 'en'];

/** What the stores ask for about an extension, in one language. Its name and its summary are in `locales/`. */
export interface Listing {
  /** Where that language's texts of the extension are. */
  readonly locale: 'pt_BR' | 'en';
  readonly description: string;
  readonly singlePurpose: string;
  /** Why each permission is asked for, the optional ones as well. */
  readonly permissions: Readonly<Record<string, string>>;
  readonly hosts: string;
  readonly remoteCode: string;
  readonly dataUse: readonly string[];
}

/** Kinds of data by the stores' own names; nothing else is handled. Firefox reads the same from the manifest. */
export const DATA_KINDS: Readonly<Record<Browser, readonly string[]>> = {
  chromium: ['Web history', 'Website content', 'Authentication information'],
  firefox: ['browsingActivity', 'bookmarksInfo', 'websiteContent'],
};

export const LISTINGS: Readonly<Record<Language, Listing>> = {
  'pt-BR': {
    locale: 'pt_BR',
    description: `A extensão da Linkoteca salva a página que você está vendo com um clique, ou com Alt+Shift+L, e mostra onde ela ficou. Ali mesmo você escolhe a categoria, põe tags e uma nota, ou desfaz.

• Título, descrição e figura vêm da própria página, também onde só você entra. O que estiver selecionado vira a nota.
• Sem internet, tudo fica guardado no seu aparelho e vai para a biblioteca quando a conexão voltar, uma vez só.
• O menu do botão direito salva links e imagens. “Salvar todas as abas” guarda a janela inteira em uma categoria.
• Na barra de endereço, digite lk, um espaço e o que procura.
• O painel ao lado da página mostra o que você salvou há pouco e todas as suas categorias.
• Se você quiser, o botão marca as páginas que já estão na sua biblioteca.

Você precisa de uma conta em uma Linkoteca. O endereço dela é perguntado uma vez. A extensão não fala com mais ninguém.`,
    singlePurpose: 'Salvar páginas da internet na Linkoteca da pessoa e achá-las de novo.',
    permissions: {
      activeTab:
        'Ler endereço, título, descrição, figura e seleção da página em que a pessoa clica no botão ou no menu para salvar.',
      alarms: 'Tentar de novo, a cada minuto, o envio do que foi salvo sem internet.',
      contextMenus: 'Oferecer “Salvar na Linkoteca” no menu de páginas, links e imagens.',
      identity: 'Abrir a página de consentimento da Linkoteca da pessoa para entrar (OAuth 2.1 com PKCE).',
      scripting:
        'Executar, na página que está sendo salva, as funções do pacote que leem a descrição, a seleção e a figura.',
      sidePanel: 'Mostrar a biblioteca ao lado da página.',
      storage: 'Guardar o endereço da Linkoteca e a conexão com ela.',
      tabs: 'Opcional. Pedida quando a pessoa salva todas as abas, ou liga a marca das páginas que já tem.',
    },
    hosts:
      'Opcional. O navegador só pede o endereço da Linkoteca que a pessoa digita. Ele não pode ser conhecido antes, porque cada instalação tem o seu.',
    remoteCode: 'Não. Tudo o que é executado está no pacote.',
    dataUse: [
      'O que a pessoa salva (endereço, título, descrição, seleção, figura, tags) vai para a Linkoteca que ela escolheu, e para mais ninguém.',
      'A figura é pedida ao site da página salva, por ela mesma, e reduzida ali.',
      'Se ela ligar a marca das páginas que já tem, vão 12 bits de um código calculado do endereço de cada página aberta. Eles não dizem qual é a página.',
      'Nada é vendido, nem usado para publicidade ou crédito. Não há medição de uso.',
    ],
  },
  en: {
    locale: 'en',
    description: `The Linkoteca extension saves the page you are on in one click, or with Alt+Shift+L, and shows where it is. Right there you choose the category, add tags and a note, or undo it.

• Title, description and picture come from the page itself, also where only you can sign in. What you have selected becomes the note.
• Without a network everything is kept on your device and goes to your library when the connection is back, exactly once.
• The context menu saves links and pictures. “Save all tabs” keeps the whole window in one category.
• In the address bar, type lk, a space, and what you are looking for.
• The panel beside the page shows what you saved lately and all your categories.
• If you like, the button marks pages that are in your library already.

You need an account at a Linkoteca. Its address is asked for once. The extension talks to nobody else.`,
    singlePurpose: 'To save pages of the web to a person’s Linkoteca and to find them again.',
    permissions: {
      activeTab:
        'To read address, title, description, picture and selection of the page on which the person presses the button or the menu to save it.',
      alarms: 'To try again, each minute, to send what was saved without a network.',
      contextMenus: 'To offer “Save to Linkoteca” in the menus of pages, links and pictures.',
      identity: 'To open the consent page of the person’s Linkoteca for signing in (OAuth 2.1 with PKCE).',
      scripting:
        'To run, in the page that is being saved, the functions of the package that read description, selection and picture.',
      sidePanel: 'To show the library beside the page.',
      storage: 'To keep the address of the Linkoteca and the connection to it.',
      tabs: 'Optional. Asked for when the person saves all tabs, or turns on the mark of pages they already have.',
    },
    hosts:
      'Optional. The browser asks only for the address of the Linkoteca that the person types. It cannot be known before: each installation has its own.',
    remoteCode: 'No. Everything that runs is in the package.',
    dataUse: [
      'What the person saves (address, title, description, selection, picture, tags) goes to the Linkoteca of their choice and to nobody else.',
      'The picture is asked of the site of the saved page, by the page itself, and made smaller there.',
      'If they turn on the mark of pages they already have, 12 bits of a code made from the address of each opened page are sent. They do not tell which page it is.',
      'Nothing is sold, or used for advertising or credit. There is no measuring of use.',
    ],
  },
};
