/** What stands for an address that an account lacks: made from the first characters of its id, and reachable by no mail. */
export function placeholderEmail(id: string): string {
  return `usuario-${id.slice(0, 8)}@sem-email.invalid`;
}
