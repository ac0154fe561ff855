// The schema: the parts of the features put together.
import type { GraphQLSchema } from "graphql";
import { addNodeField } from "./node.ts";
import { explainSlowFields } from "./slow-fields.ts";
import type { GraphqlGuards } from "./types/guard.ts";
import { allowLargeCounts } from "./types/scalars.ts";
import { createTypes, type GraphqlPart } from "./types/types.ts";

/** Fails when a field of Query or Mutation declares no action of the policy. */
export function createSchema(parts: readonly GraphqlPart[], guards: GraphqlGuards): GraphQLSchema {
  allowLargeCounts();
  const types = createTypes(guards);
  for (const addTo of parts) addTo(types);
  addNodeField(types);
  const schema = types.builder.toSchema();
  explainSlowFields(schema);
  return schema;
}
