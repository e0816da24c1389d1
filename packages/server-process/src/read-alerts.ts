import { readFileSync } from 'node:fs';

const RULES = new URL('../../../docs/operations/alert-rules.yml', import.meta.url);
const DASHBOARD = new URL('../../../docs/operations/grafana-dashboard.json', import.meta.url);

/** The expressions of the alert rules, by name. */
export function readAlerts(): ReadonlyMap<string, string> {
  const text = readFileSync(RULES, 'utf8');
  const rules = [...text.matchAll(/^ {6}- alert: (\w+)\n {8}expr: (.+)$/gm)];
  if (rules.length !== text.split('- alert:').length - 1) throw new Error('an alert is written otherwise');
  return new Map(rules.map(([, name = '', expression = '']) => [name, expression]));
}

/** The expressions behind the dashboard's panels. */
export function readDashboard(): readonly string[] {
  type Dashboard = { readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] };
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}
