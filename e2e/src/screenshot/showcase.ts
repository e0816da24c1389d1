/** A link of the showcase; `age` in days. */
type ShowcaseLink = {
  readonly title: string;
  readonly url: string;
  readonly description?: string;
  readonly age: number;
};

export type ShowcaseFolder = {
  /** Decides on the colour of its spine. */
  readonly id: string;
  readonly name: string;
  readonly categories: readonly {
    readonly name: string;
    readonly description?: string;
    /** How many links it holds, or which. */
    readonly links: number | readonly ShowcaseLink[];
  }[];
};

/** The folder and the category that the pictures show. */
export const SHOWN = { folder: 'Aulas', category: 'História do Brasil' } as const;

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const HISTORY: readonly ShowcaseLink[] = [
  {
    title: 'Biblioteca Nacional Digital',
    url: 'https://bndigital.bn.gov.br/acervodigital/',
    description: 'Mapas, manuscritos e jornais para abrir na sala. Começar pela coleção de cartografia.',
    age: 1,
  },
  {
    title: 'Brasiliana Fotográfica',
    url: 'https://brasilianafotografica.bn.gov.br/',
    description: 'Fotos do século XIX em alta resolução. Usar a série da Avenida Central no 9º ano.',
    age: 2,
  },
  {
    title: 'Atlas histórico: a ocupação do território',
    url: 'https://atlas.fgv.br/',
    description: 'Linha do tempo com mapas animados. Funciona bem no projetor.',
    age: 4,
  },
  {
    title: 'Hemeroteca: jornais da Abolição',
    url: 'https://memoria.bn.gov.br/hdb/',
    description: 'Edições de maio de 1888. Cada grupo lê um jornal e compara as manchetes.',
    age: 7,
  },
  {
    title: 'IBGE Educa: população ao longo do tempo',
    url: 'https://educa.ibge.gov.br/professores',
    description: 'Gráficos prontos para a aula sobre migrações.',
    age: 9,
  },
  {
    title: 'Museu do Ipiranga, visita virtual',
    url: 'https://museudoipiranga.org.br/',
    description: 'O quadro da Independência de perto, com os detalhes comentados.',
    age: 12,
  },
  {
    title: 'Domínio Público: cartas de Pero Vaz de Caminha',
    url: 'https://www.dominiopublico.gov.br/',
    description: 'Texto integral para a leitura em voz alta.',
    age: 15,
  },
  {
    title: 'Arquivo Nacional: documentos da Imigração',
    url: 'https://www.gov.br/arquivonacional/',
    description: 'Listas de bordo de navios. Procurar os sobrenomes da turma.',
    age: 19,
  },
  {
    title: 'SciELO: artigos sobre o ensino de história',
    url: 'https://www.scielo.br/',
    description: 'Dois ou três por bimestre, para mim.',
    age: 24,
  },
];

/** The library of the pictures: a teacher's, with sources that everybody may open. */
export const SHOWCASE: readonly ShowcaseFolder[] = [
  {
    id: id(1),
    name: SHOWN.folder,
    categories: [
      { name: SHOWN.category, description: 'Fontes para o 8º e o 9º ano', links: HISTORY },
      { name: 'Geografia e mapas', links: 14 },
      { name: 'Provas e exercícios', links: 31 },
      { name: 'Vídeos curtos', links: 22 },
    ],
  },
  { id: id(2), name: 'Leituras', categories: [{ name: 'Contos', links: 18 }] },
  { id: id(3), name: 'Ferramentas de IA', categories: [{ name: 'Texto', links: 12 }] },
  { id: id(7), name: 'Receitas', categories: [{ name: 'Pães', links: 27 }] },
  { id: id(5), name: 'Viagem a Minas', categories: [{ name: 'Roteiro', links: 9 }] },
  { id: id(8), name: 'Casa nova', categories: [{ name: 'Reforma', links: 16 }] },
];
