/** What every route needs and rarely changes: one file that stays in the browser's cache across releases. */
const foundation =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@supabase\/auth-js|@tanstack\/(history|store|react-store|router-core|react-router))\//;

/**
 * Light pieces that most screens share: one request instead of thirty. A group brings all that it imports along, so
 * nothing here may import a heavy library (forms, query cache, table client, floating layers).
 */
const basics = [
  /src\/shared\/lib\/(?!captcha|create-query|use-draft-form|optimistic|own-writes|realtime|supabase\/create-database)/,
  /src\/shared\/ui\/(button|icon-button|logo|spinner|full-screen-spinner|notice|avatar|badge|skeleton)/,
  /src\/shared\/ui\/(field|text-field|password-field|toast\.ts|lazy-toast|error-|floating-class-names)/,
  /packages\/domain\/src\/(limits|plans|plan-messages|account-messages|format-number|text-field|count-characters|email-schema|clean-text)/,
  /node_modules\/lucide-react\/dist\/esm\/(create|Icon|shared|default|context)/,
  /node_modules\/valibot\//,
];

/** Which modules share a file of the build, beyond what the bundler finds by itself. */
export const bundleGroups = [
  { name: 'foundation', test: foundation },
  { name: 'basics', test: (id: string) => basics.some((pattern) => pattern.test(id)), minShareCount: 2 },
];
