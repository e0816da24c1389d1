const cookieName = 'linkoteca-sidebar';
const sevenDaysInSeconds = 7 * 24 * 60 * 60;

/** Whether the sidebar was left collapsed, read from `document.cookie`. Open unless said otherwise. */
export function readSidebarCollapsed(cookies: string): boolean {
  return cookies.split('; ').includes(`${cookieName}=collapsed`);
}

/** The cookie to write for a state; it lasts 7 days. */
export function sidebarCookie(collapsed: boolean): string {
  const value = collapsed ? 'collapsed' : 'open';
  return `${cookieName}=${value}; path=/; max-age=${sevenDaysInSeconds}; samesite=lax`;
}
