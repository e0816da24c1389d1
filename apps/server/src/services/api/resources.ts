import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { TAG_LIMITS } from '@linkoteca/domain/tags';
import * as v from 'valibot';

// What the answers of /api/v1 look like. The document is made of these schemas, and tests hold each answer against it.

const id = (what: string) => v.pipe(v.string(), v.uuid(), v.description(what));
const moment = (what: string) =>
  v.pipe(v.string(), v.isoTimestamp(), v.description(`${what} UTC, to the microsecond.`));
const count = (what: string) => v.pipe(v.number(), v.integer(), v.minValue(0), v.description(what));

/** A text of so many characters at most, as Postgres counts them (code points, as JSON Schema does). */
const text = (most: number, what: string) =>
  v.pipe(v.string(), v.metadata({ maxLength: most, description: what }));

export const link = v.pipe(
  v.strictObject({
    id: id('Never changes.'),
    url: text(FIELD_LIMITS.linkUrl, 'http or https.'),
    title: text(FIELD_LIMITS.linkTitle, 'One line.'),
    description: v.nullable(text(FIELD_LIMITS.linkDescription, 'May have several lines.')),
    category_id: id('Where it lies. Links lie in categories, never in folders.'),
    is_own: v.pipe(v.boolean(), v.description('false: somebody else shares it with the person.')),
    tags: v.pipe(v.array(v.string()), v.description('Names, in alphabetical order.')),
    created_at: moment('When it was saved.'),
    updated_at: moment('When it was last changed.'),
  }),
  v.title('Link'),
);

export const folder = v.pipe(
  v.strictObject({
    id: id('Never changes.'),
    name: text(FIELD_LIMITS.folderName, 'One line; no other folder of the person has the same.'),
    created_at: moment('When it was made.'),
    updated_at: moment('When it was last changed.'),
  }),
  v.title('Folder'),
);

export const category = v.pipe(
  v.strictObject({
    id: id('Never changes.'),
    folder_id: id('The folder in which it lies.'),
    name: text(FIELD_LIMITS.categoryName, 'One line.'),
    description: v.nullable(text(FIELD_LIMITS.categoryDescription, 'May have several lines.')),
    is_public: v.pipe(v.boolean(), v.description('Whether everybody may see it. Changed in the app alone.')),
    is_inbox: v.pipe(v.boolean(), v.description('Whether links are saved here that name no category.')),
    link_count: count('Links in it.'),
    created_at: moment('When it was made.'),
    updated_at: moment('When it was last changed.'),
    shared: v.optional(
      v.pipe(
        v.strictObject({
          folder_name: v.pipe(v.string(), v.description('Of the folder that is shared.')),
          owner_name: v.pipe(v.nullable(v.string()), v.description('Of the person whose folder it is.')),
          may_write: v.pipe(v.boolean(), v.description('Whether links may be saved and changed in it now.')),
        }),
        v.description('Only where it lies in a folder that somebody shares with the person.'),
      ),
    ),
  }),
  v.title('Category'),
);

export const tag = v.pipe(
  v.strictObject({
    id: id('Never changes.'),
    name: text(50, 'Neither case nor accents tell tags apart.'),
    color: v.nullable(v.pipe(v.string(), v.description('Chosen in the app.'))),
    link_count: count('Links that have it.'),
    created_at: moment('When it was first used.'),
  }),
  v.title('Tag'),
);

export const me = v.pipe(
  v.strictObject({
    id: id('Of the person whose token it is.'),
    access: v.pipe(
      v.strictObject({ read: v.boolean(), write: v.boolean(), share: v.boolean() }),
      v.description('What the token may do.'),
    ),
    counts: v.strictObject({
      folders: count('Folders of the person.'),
      categories: count('Categories of the person.'),
      links: count('Links of the person.'),
    }),
  }),
  v.title('Me'),
);

/** A page of a list. */
export const pageOf = <T extends v.GenericSchema>(item: T) =>
  v.strictObject({
    data: v.array(item),
    next_cursor: v.pipe(
      v.nullable(v.string()),
      v.description('Send it as cursor for what comes after; null at the end of the list.'),
    ),
  });

/** Named schemas of the document. */
export const RESOURCES = { Link: link, Folder: folder, Category: category, Tag: tag, Me: me };

/** What is sent: types and names here, lengths and the rest by the forms of the app. */
export const contents = {
  url: v.pipe(
    v.string(),
    v.metadata({
      description: `A web address; https is added where it has no scheme. At most ${FIELD_LIMITS.linkUrl} characters.`,
    }),
  ),
  title: text(FIELD_LIMITS.linkTitle, 'One line.'),
  description: v.nullable(text(FIELD_LIMITS.linkDescription, 'null takes it away.')),
  category_id: v.pipe(
    v.string(),
    v.uuid(),
    v.description('A category of the person, or of a folder that is shared with them.'),
  ),
  tags: v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(200))),
    v.maxLength(TAG_LIMITS.link, `No máximo ${TAG_LIMITS.link} tags por link`),
    v.description('Names: all the tags that the link is to have. Those that do not exist are made.'),
  ),
  folder_id: v.pipe(
    v.string(),
    v.uuid(),
    v.description('A folder of the person, or one that is shared with them.'),
  ),
  folder_name: text(FIELD_LIMITS.folderName, 'One line; no other folder of the person has the same.'),
  category_name: text(FIELD_LIMITS.categoryName, 'One line.'),
  category_description: v.nullable(text(FIELD_LIMITS.categoryDescription, 'null takes it away.')),
  tag_name: text(50, 'Neither commas, semicolons, quotation marks nor bars; no # at its beginning.'),
};
