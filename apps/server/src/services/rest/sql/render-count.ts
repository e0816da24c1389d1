import type { EmbedPlan, ReadPlan } from '../plan/plan-types.ts';
import { renderFrom, renderWhere } from './render-read.ts';
import type { SqlWriter } from './sql-writer.ts';

/** All rows that the plan's filters leave, before limit and offset: embeds only matter where they exclude rows. */
export function renderCountedRows(writer: SqlWriter, plan: ReadPlan): string {
  const exists = (embed: EmbedPlan) => `exists (${renderCountedRows(writer, embed.read)})`;
  const byAlias = (alias: string) => {
    const embed = plan.embeds.find((candidate) => candidate.alias === alias);
    return embed === undefined ? 'false' : exists(embed);
  };
  const inner = plan.embeds.filter((embed) => embed.inner).map(exists);
  return `select 1 from ${renderFrom(plan)} ${renderWhere(writer, plan, byAlias, inner)}`.trim();
}
