import { isToOne, type QualifiedName, type Relationship } from '../schema-cache/schema-cache.ts';
import type { JoinCondition, ReadPlan, ReadSource } from './plan-types.ts';

/** How an embed's rows are found from its parent's row. */
export type EmbedJoin = {
  readonly source: ReadSource;
  readonly joins: readonly JoinCondition[];
  readonly junction: ReadPlan['junction'];
  readonly toOne: boolean;
  readonly parentColumns: readonly string[] | undefined;
};

/** @param claimAlias gives a junction a name that nothing else in the query bears. */
export function joinEmbed(
  relationship: Relationship,
  parent: { readonly alias: string },
  alias: string,
  claimAlias: (name: string) => string,
): EmbedJoin {
  const source: ReadSource = { kind: 'relation', relation: relationship.target };
  const toOne = isToOne(relationship);
  if (relationship.kind === 'computed')
    return {
      source: {
        kind: 'computed',
        function: relationship.function,
        argumentAlias: parent.alias,
        argumentType: relationship.origin,
      },
      joins: [],
      junction: undefined,
      toOne,
      parentColumns: undefined,
    };
  if (relationship.kind === 'many-to-many') {
    const junction: { relation: QualifiedName; alias: string } = {
      relation: relationship.junction,
      alias: claimAlias(relationship.junction.name),
    };
    return {
      source,
      joins: [
        ...toConditions(relationship.originColumns, parent.alias, junction.alias),
        ...toConditions(relationship.targetColumns, alias, junction.alias),
      ],
      junction,
      toOne,
      parentColumns: relationship.originColumns.map(([own]) => own),
    };
  }
  return {
    source,
    joins: toConditions(relationship.columns, parent.alias, alias),
    junction: undefined,
    toOne,
    parentColumns: relationship.columns.map(([own]) => own),
  };
}

function toConditions(
  pairs: readonly (readonly [string, string])[],
  ownAlias: string,
  otherAlias: string,
): readonly JoinCondition[] {
  return pairs.map(([own, other]) => ({
    alias: otherAlias,
    column: other,
    otherAlias: ownAlias,
    otherColumn: own,
  }));
}
