const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' };

/** '14:32:05' in the viewer's zone (or the one given); empty for what is no moment. */
export function formatClock(moment: Date, timeZone?: string): string {
  if (Number.isNaN(moment.getTime())) return '';
  return moment.toLocaleTimeString('pt-BR', { ...TIME, ...(timeZone === undefined ? {} : { timeZone }) });
}
