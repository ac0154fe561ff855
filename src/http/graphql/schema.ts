// The schema: the parts of the features put together.
import type { GraphQLSchema } from "graphql";
import type { GraphqlGuards } from "../../graphql/guard.ts";
import { readEverySpelling } from "../../graphql/scalars.ts";
import { createTypes, type GraphqlPart } from "../../graphql/types.ts";
import { completeListsInSlices } from "./listed-in-slices.ts";
import { addNodeField } from "./node.ts";
import { explainSlowFields } from "./slow-fields.ts";

/** Fails when a field of Query or Mutation declares no action of the policy. */
export function createSchema(parts: readonly GraphqlPart[], guards: GraphqlGuards): GraphQLSchema {
  readEverySpelling();
  const types = createTypes(guards);
  for (const addTo of parts) addTo(types);
  addNodeField(types);
  const schema = types.builder.toSchema();
  explainSlowFields(schema);
  completeListsInSlices(schema);
  return schema;
}
