/** The search of the top bar. */
export function TopBarSearch() {
  return null;
}
