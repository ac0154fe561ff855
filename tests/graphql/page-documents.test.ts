// Every document of the pages is within the limits of the server, with the fragments that it names.
import { expect, test } from "bun:test";
import { createDocumentReader } from "../../src/http/graphql/documents.ts";
import { declaredSchema } from "../support/declared-schema.ts";
import { pageOperations } from "../support/page-documents.ts";

test("documents of the pages are not refused", async () => {
  const operations = await pageOperations();
  expect(operations.length).toBeGreaterThan(100);
  const read = createDocumentReader(await declaredSchema());
  const refused = operations.flatMap(({ name, text }) => {
    const answer = read(text);
    return "errors" in answer ? [`${name}: ${answer.errors.map(({ message }) => message).join("; ")}`] : [];
  });
  expect(refused).toEqual([]);
});
