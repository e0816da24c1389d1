import type { LinkForm } from '@linkoteca/domain/library-schemas';
import type { Link } from '../../../shared/lib/rows.ts';

/** What the form of a link holds while it is typed. */
export type LinkFields = { readonly [Field in keyof LinkForm]: string };

/** The fields in the order of the form, by their names for people. */
const LABELS: LinkFields = {
  url: 'URL',
  title: 'Título',
  category_id: 'Categoria',
  description: 'Descrição',
};
const FIELDS = Object.keys(LABELS) as readonly (keyof LinkFields)[];

/** The form of a link as it is stored, or of what is known of one to come; the rest is empty. */
export function fieldsOf(link: { readonly [Field in keyof LinkForm]?: Link[Field] | undefined }): LinkFields {
  return mapFields((field) => link[field] ?? '');
}

/** What is typed beside what is stored, field by field, as a person reads it. */
export function compareFields(typed: LinkFields, stored: Link, nameCategory: (id: string) => string) {
  const current = fieldsOf(stored);
  const show = (fields: LinkFields, field: keyof LinkFields) =>
    field === 'category_id' ? nameCategory(fields[field]) : fields[field].trim();
  return FIELDS.map((field) => ({
    label: LABELS[field],
    mine: show(typed, field),
    current: show(current, field),
  }));
}

function mapFields(read: (field: keyof LinkFields) => string): LinkFields {
  return Object.fromEntries(FIELDS.map((field) => [field, read(field)])) as LinkFields;
}
