// The builder of the schema: the context of its resolvers and the values behind its scalars.
import SchemaBuilder from "@pothos/core";
import type { GraphqlCall } from "./call.ts";
import type { GraphqlGuards } from "./guard.ts";
import "./guard.ts";

interface Shapes {
  Context: GraphqlCall;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: number; Output: number };
    Identifier: { Input: string; Output: string };
    CronExpression: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    RedactedString: { Input: string; Output: string };
    SecretString: { Input: string; Output: never };
  };
}
export type Builder = ReturnType<typeof createBuilder>;
/** The shapes as the library completes them. */
export type BuilderTypes = Builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

export const createBuilder = (guards: GraphqlGuards) =>
  new SchemaBuilder<Shapes>({ plugins: ["guard"], guards, defaultFieldNullability: false });
