// Pages of other sites change nothing, whatever the route and whether or not people sign in; programs and our own pages do.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type Method, route } from "../../src/api/route.ts";
import { send, serverOf } from "../support/api.ts";

const METHODS = ["POST", "PUT", "PATCH", "DELETE", "GET"] as const satisfies readonly Method[];
const modules = [
  {
    name: "things",
    routes: METHODS.map((method) =>
      route({
        method,
        path: "/v1/things",
        operationId: `${method}Things`,
        summary: "Change things",
        action: "datasets.change",
        status: 200,
        ...(method === "GET" ? {} : { rawBody: ["multipart/form-data"] }),
        response: Type.String(),
        handler: () => "done",
      }),
    ),
  },
];

const TRUSTED = "https://app.example.com:8443";
const sent = {
  "a program": {},
  "our own": { "sec-fetch-site": "same-origin", origin: "http://localhost" },
  "our own, where browsers do not say so": { origin: "http://localhost" },
  "an address that was typed": { "sec-fetch-site": "none" },
  "a trusted one": { "sec-fetch-site": "cross-site", origin: TRUSTED },
  "a trusted one in an old browser": { origin: TRUSTED },
  "a sibling": { "sec-fetch-site": "same-site", origin: "http://notes.localhost" },
  "another port": { origin: "http://localhost:8888" },
  "another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "another site that hides itself": { "sec-fetch-site": "cross-site" },
  "another site without an origin": { "sec-fetch-site": "cross-site", origin: "null" },
  "another site in an old browser": { origin: "https://evil.example" },
  "a sandboxed frame": { origin: "null" },
};
type Page = keyof typeof sent;
const SIBLINGS: readonly string[] = ["a sibling", "another port"] satisfies Page[];
const FOREIGN = (Object.keys(sent) as Page[]).filter((page) => /^another site|sandboxed/.test(page));

describe.each([true, false])("where siblings may: %p", (siblings) => {
  const server = serverOf(modules, { settings: { ownPages: { origins: [TRUSTED, "null"], siblings } } });
  const isRefused = (page: string) =>
    (FOREIGN as readonly string[]).includes(page) || (!siblings && SIBLINGS.includes(page));

  test.each(METHODS)("%s", async (method) => {
    for (const [page, headers] of Object.entries(sent)) {
      const { status } = await send(server, `${method} /v1/things`, { headers });
      expect([page, status]).toEqual([page, method !== "GET" && isRefused(page) ? 403 : 200]);
    }
  });

  test("the refusal names the page, the host of the request, and the setting that helps", async () => {
    const response = await send(server, "POST /v1/things", { headers: { origin: "http://traces.example.com" } });
    const text = await response.text();
    for (const word of ["http://traces.example.com", "localhost", "SERVICE_ROOT_URL"]) expect(text).toContain(word);
  });
});
