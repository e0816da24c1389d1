/** Every way a preview can fail: the answer's status and the sentence a person may read. */
const FAULTS = {
  body: { status: 400, text: 'O pedido está malformado' },
  url: { status: 400, text: 'URL inválida' },
  credentials: { status: 400, text: 'A URL não pode conter usuário e senha' },
  port: { status: 400, text: 'Só é possível ler páginas nas portas 80 e 443' },
  private_address: { status: 400, text: 'Este endereço não está na internet pública' },
  person: { status: 401, text: 'Você precisa estar autenticado para realizar esta operação' },
  method: { status: 405, text: 'Método não permitido' },
  size: { status: 413, text: 'O pedido é grande demais' },
  // The same words for a name that does not exist and one that leads inside: the answer must not map a private network.
  private_name: { status: 502, text: 'Não foi possível acessar a página' },
  unreachable: { status: 502, text: 'Não foi possível acessar a página' },
  redirects: { status: 502, text: 'Não foi possível acessar a página' },
  failed_page: { status: 502, text: 'O site respondeu com um erro' },
  not_a_page: { status: 502, text: 'O endereço não leva a uma página' },
  no_image: { status: 422, text: 'A página não tem imagem própria' },
  not_an_image: { status: 502, text: 'A imagem da página não é uma imagem que se possa mostrar' },
  heavy_image: { status: 502, text: 'A imagem da página é pesada demais' },
  timeout: { status: 504, text: 'A página demorou demais para responder' },
  // Nobody reads this one: the caller has gone.
  aborted: { status: 499, text: 'O pedido foi cancelado' },
} as const;

export type PreviewFault = keyof typeof FAULTS;

/** A preview that cannot be made. `cause` is for the log alone. */
export class PreviewError extends Error {
  readonly fault: PreviewFault;

  constructor(fault: PreviewFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}

export function describeFault(fault: PreviewFault): { readonly status: number; readonly text: string } {
  return FAULTS[fault];
}
