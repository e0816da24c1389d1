import type { LinkForm } from '@linkoteca/domain/library-schemas';
import type { Link } from '../../../shared/lib/rows.ts';

/** What the form of a link holds while it is typed. */
export type LinkFields = StoredFields & {
  /** Names, with commas between them; no column of the link. */
  readonly tags: string;
};

type StoredFields = { readonly [Field in keyof LinkForm]: string };

/** The fields in the order of the form, by their names for people. */
const LABELS: StoredFields = {
  url: 'URL',
  title: 'Título',
  category_id: 'Categoria',
  description: 'Descrição',
};
const FIELDS = Object.keys(LABELS) as readonly (keyof StoredFields)[];

/** The form of a link as it is stored, or of what is known of one to come; the rest is empty. */
export function fieldsOf(
  link: { readonly [Field in keyof LinkForm]?: Link[Field] | undefined },
  tags: readonly string[] = [],
): LinkFields {
  return { ...mapFields((field) => link[field] ?? ''), tags: tags.join(', ') };
}

/** What is typed beside what is stored, field by field, as a person reads it. */
export function compareFields(typed: LinkFields, stored: Link, nameCategory: (id: string) => string) {
  const current = fieldsOf(stored);
  const show = (fields: LinkFields, field: keyof StoredFields) =>
    field === 'category_id' ? nameCategory(fields[field]) : fields[field].trim();
  return FIELDS.map((field) => ({
    label: LABELS[field],
    mine: show(typed, field),
    current: show(current, field),
  }));
}

function mapFields(read: (field: keyof StoredFields) => string): StoredFields {
  return Object.fromEntries(FIELDS.map((field) => [field, read(field)])) as StoredFields;
}
