// Writes the GraphQL schema as types for the pages, whose documents are checked against it. Run it after every change of the
// schema; a test holds the file against the schema of the server.
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { getIntrospectionQuery, graphql } from "graphql";
import { declaredSchema } from "../tests/support/declared-schema.ts";

export const TYPES_FILE = "src/web/lib/graphql-schema.d.ts";

/** The text of the file for the schema of now. */
export async function graphqlTypes(): Promise<string> {
  const schema = await declaredSchema();
  const { data } = await graphql({ schema, source: getIntrospectionQuery(), contextValue: {} });
  const introspection = minifyIntrospection(data as never);
  const text = outputIntrospectionFile(introspection, { fileType: ".d.ts", shouldPreprocess: true });
  // The rest would make these types those of every program that sees the file.
  const end = text.indexOf("\nimport * as");
  return `// Written by scripts/write-graphql-types.ts from the schema of the server.\n${text.slice(text.indexOf("export type"), end)}`;
}

if (import.meta.main) await Bun.write(new URL(`../${TYPES_FILE}`, import.meta.url), await graphqlTypes());
