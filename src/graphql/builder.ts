// The builder of the schema: the context of its resolvers and the values behind its scalars.
import SchemaBuilder from "@pothos/core";
import type { GraphqlCall } from "./call.ts";
import type { GraphqlGuards } from "./guard.ts";
import "./guard.ts";

/** Types of the values behind scalars. A feature that has one of its own adds it here, and to the builder in its part of the schema. */
export interface Scalars {
  ID: { Input: string; Output: string };
  DateTime: { Input: number; Output: number };
  Identifier: { Input: string; Output: string };
  JSON: { Input: unknown; Output: unknown };
}

interface Shapes {
  Context: GraphqlCall;
  DefaultFieldNullability: false;
  Scalars: Pick<Scalars, keyof Scalars>;
}
export type Builder = ReturnType<typeof createBuilder>;
/** The shapes as the library completes them. */
export type BuilderTypes = Builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

export const createBuilder = (guards: GraphqlGuards) =>
  new SchemaBuilder<Shapes>({ plugins: ["guard"], guards, defaultFieldNullability: false });
