// The GraphQL schema as declared, over services that do nothing.
import type { GraphQLSchema } from "graphql";
import { createSchema } from "../../src/http/graphql/schema.ts";
import { declaredFeatures, openGuards } from "./declared-routes.ts";

export async function declaredSchema(): Promise<GraphQLSchema> {
  return createSchema(await declaredFeatures().loadGraphql(), openGuards);
}
