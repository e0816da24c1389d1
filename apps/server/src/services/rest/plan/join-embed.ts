import {
  type ComputedRelationship,
  type ForeignKeyRelationship,
  isToOne,
  type JunctionRelationship,
  type Relationship,
} from '../schema-cache/schema-cache.ts';
import type { JoinCondition, ReadPlan, ReadSource } from './plan-types.ts';

/** How an embed's rows are found from its parent's row. */
export type EmbedJoin = {
  readonly source: ReadSource;
  readonly joins: readonly JoinCondition[];
  readonly junction: ReadPlan['junction'];
  readonly toOne: boolean;
  /** Columns of the parent that the join needs; undefined when it needs the whole row. */
  readonly parentColumns: readonly string[] | undefined;
};

/** @param claimAlias gives a junction a name that nothing else in the query bears. */
export function joinEmbed(
  relationship: Relationship,
  parentAlias: string,
  alias: string,
  claimAlias: (name: string) => string,
): EmbedJoin {
  switch (relationship.kind) {
    case 'computed':
      return joinComputed(relationship, parentAlias);
    case 'many-to-many':
      return joinThroughJunction(relationship, parentAlias, alias, claimAlias(relationship.junction.name));
    default:
      return joinByKey(relationship, parentAlias, alias);
  }
}

function joinComputed(relationship: ComputedRelationship, parentAlias: string): EmbedJoin {
  return {
    source: {
      kind: 'computed',
      function: relationship.function,
      argumentAlias: parentAlias,
      argumentType: relationship.origin,
    },
    joins: [],
    junction: undefined,
    toOne: relationship.toOne,
    parentColumns: undefined,
  };
}

function joinThroughJunction(
  relationship: JunctionRelationship,
  parentAlias: string,
  alias: string,
  junctionAlias: string,
): EmbedJoin {
  const { target, junction, originColumns, targetColumns } = relationship;
  return {
    source: { kind: 'relation', relation: target },
    joins: [
      ...toConditions(originColumns, parentAlias, junctionAlias),
      ...toConditions(targetColumns, alias, junctionAlias),
    ],
    junction: { relation: junction, alias: junctionAlias },
    toOne: false,
    parentColumns: originColumns.map(([own]) => own),
  };
}

function joinByKey(relationship: ForeignKeyRelationship, parentAlias: string, alias: string): EmbedJoin {
  return {
    source: { kind: 'relation', relation: relationship.target },
    joins: toConditions(relationship.columns, parentAlias, alias),
    junction: undefined,
    toOne: isToOne(relationship),
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
