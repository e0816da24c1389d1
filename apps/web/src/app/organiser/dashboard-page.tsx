/** The dashboard's body. */
export function DashboardPage() {
  return null;
}
