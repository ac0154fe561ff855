// The types of the pages' documents are those of the server's schema.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { graphqlTypes, TYPES_FILE } from "../../scripts/write-graphql-types.ts";
import { ROOT } from "../architecture/imports.ts";

test("the types were written after the last change of the schema (bun scripts/write-graphql-types.ts)", async () => {
  const written = await Bun.file(join(ROOT, TYPES_FILE)).text();
  // Whole, the difference would fill the log.
  expect(Bun.hash(written)).toBe(Bun.hash(await graphqlTypes()));
});
