export const EXPORT_FORMATS = ['html', 'csv', 'json'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Narrows what came from a form; anything unknown is the one that every browser reads. */
export function readExportFormat(value: string): ExportFormat {
  return EXPORT_FORMATS.find((known) => known === value) ?? 'html';
}

/** Name of the file, by the day where the person is. @param scope of what it holds, null for everything. */
export function nameExportFile(scope: string | null, format: ExportFormat, now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  const shelf = scope
    ?.normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `linkoteca-${shelf || 'favoritos'}-${day.join('-')}.${format}`;
}
