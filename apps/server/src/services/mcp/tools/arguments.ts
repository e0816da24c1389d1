import { z } from 'zod';

/** Links that one call takes: enough to sort a page of a list, few enough to be read again before a person allows it. */
export const LINKS_PER_CALL = 100;

export const linkIds = z
  .array(z.uuid())
  .min(1)
  .max(LINKS_PER_CALL)
  .describe(`Ids of 1 to ${LINKS_PER_CALL} links, as other tools show them.`);

export const cursor = z
  .string()
  .max(500)
  .optional()
  .describe('next_cursor of the answer before, for what comes after it. Leave it out to begin.');

export const categoryId = z.uuid().describe('Id of a category, as list_folders shows it.');
