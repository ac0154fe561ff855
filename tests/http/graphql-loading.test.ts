// A schema that could not be loaded once is loaded by the next request.
import { expect, test } from "bun:test";
import { graphqlRoutes } from "../../src/http/graphql/routes.ts";
import type { GraphqlServer } from "../../src/http/graphql/server.ts";
import { send, serverOf } from "../support/api.ts";

test("a schema that failed to load is loaded again, and once", async () => {
  const loads: string[] = [];
  const loaded: GraphqlServer = { answer: async () => ({ text: '{"data":{}}', signInEnded: false }) };
  const load = async () => {
    loads.push("load");
    if (loads.length === 1) throw new Error("too many open files");
    return loaded;
  };
  const server = serverOf([graphqlRoutes({ load, bodyLimit: 1000, clearedCookies: [] })]);
  const ask = async () => (await send(server, "POST /graphql", { json: { query: "{ a }" } })).status;
  expect(await ask()).toBe(500);
  expect(await ask()).toBe(200);
  expect(await ask()).toBe(200);
  expect(loads).toHaveLength(2);
});
