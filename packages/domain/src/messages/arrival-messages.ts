/**
 * What is said while somebody makes an account who brought a link: it is not lost.
 * @param host of the link; empty for a text that is none.
 */
export function describeArrival(host: string): string {
  const what = host === '' ? 'O que você colou está guardado.' : `Seu link de ${host} está guardado.`;
  return `${what} Crie a conta, confirme pelo email, e ele espera por você no painel.`;
}
