// The builder of the schema: the context of its resolvers and the values behind its scalars.
import SchemaBuilder from "@pothos/core";
import type { GraphqlCall } from "./call.ts";

interface Shapes {
  Context: GraphqlCall;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: number; Output: number };
    JSON: { Input: unknown; Output: unknown };
    RedactedString: { Input: string; Output: string };
  };
}
export type Builder = ReturnType<typeof createBuilder>;

export const createBuilder = () => new SchemaBuilder<Shapes>({ defaultFieldNullability: false });
