// Addresses for people: where they lead, with made-up look-ups.
import { describe, expect, test } from "bun:test";
import { redirectRoutes } from "../../src/http/redirects.ts";
import { fail } from "../../src/kernel/failure.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { send, serverOf } from "../support/api.ts";
import { restricted } from "../support/principals.ts";

const PROJECT = globalId("Project", 7);
const routes = (rootPath: string) =>
  redirectRoutes(
    {
      project: async (_context, name) => (name === "my bot" ? { projectId: 7 } : null),
      trace: async (_context, traceKey) => (traceKey === "t=1" ? { projectId: 7 } : null),
      span: async (_context, spanKey) => (spanKey === "s1" ? { projectId: 7, traceKey: "t&1", spanId: 42 } : null),
      session: async (_context, sessionKey) => (sessionKey === "chat 1" ? { projectId: 7, sessionId: 3 } : null),
      promptTag: async (_context, prompt, tag) => {
        if (prompt === "triage" && tag === "production") return { promptId: 5, versionId: 9 };
        throw fail("prompts.tag_not_found", "not_found", `No version is tagged "${tag}" there`);
      },
    },
    rootPath,
  );
const server = serverOf([routes("")]);

const targets: readonly [string, string][] = [
  ["/redirects/projects/my%20bot", `/projects/${PROJECT}`],
  ["/redirects/traces/t%3D1", `/projects/${PROJECT}/traces/t%3D1`],
  ["/redirects/spans/s1", `/projects/${PROJECT}/spans/t%261?selectedSpanNodeId=${encodeURIComponent("U3Bhbjo0Mg==")}`],
  ["/redirects/sessions/chat%201", `/projects/${PROJECT}/sessions/${globalId("ProjectSession", 3)}`],
  [
    "/redirects/prompts/triage/tags/production",
    `/prompts/${globalId("Prompt", 5)}/versions/${globalId("PromptVersion", 9)}`,
  ],
];

describe("redirects", () => {
  for (const [path, target] of targets) {
    test(`${path} leads to the page`, async () => {
      const response = await send(server, `GET ${path}`);
      expect([response.status, response.headers.get("location")]).toEqual([302, target]);
    });

    test(`${path} below a root path leads below it`, async () => {
      const below = serverOf([routes("/sub")], { settings: { rootPath: "/sub" } });
      for (const prefix of ["", "/sub"]) {
        const response = await send(below, `GET ${prefix}${path}`);
        expect(response.headers.get("location")).toBe(`/sub${target}`);
      }
    });
  }

  test("a miss is 404 as text and names what was looked for", async () => {
    for (const kind of ["projects", "traces", "spans", "sessions"]) {
      const response = await send(server, `GET /redirects/${kind}/nothing`);
      expect([response.status, await response.text()]).toEqual([404, "Nothing is known of nothing"]);
    }
  });

  test("a tag that points nowhere is 404 and named", async () => {
    const response = await send(server, "GET /redirects/prompts/triage/tags/staging");
    expect([response.status, await response.text()]).toEqual([404, 'No version is tagged "staging" there']);
  });

  test("a visitor who is not logged in is led to the login and back", async () => {
    const guarded = serverOf([routes("/sub")], {
      settings: { rootPath: "/sub" },
      resolvePrincipal: () => ({ kind: "anonymous" }),
    });
    const response = await send(guarded, "GET /sub/redirects/traces/t%3D1?tab=x");
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `/sub/login?returnUrl=${encodeURIComponent("/redirects/traces/t%3D1?tab=x")}`,
    ]);
  });

  test("who comes from another site, without the cookies that browsers hold back, opens the address again", async () => {
    const guarded = serverOf([routes("")], { resolvePrincipal: () => ({ kind: "anonymous" }) });
    const from = (site: string) =>
      send(guarded, "GET /redirects/traces/t%3D1", { headers: { "sec-fetch-site": site } });
    const again = await from("cross-site");
    expect([again.status, again.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await again.text()).toContain('<meta http-equiv="refresh" content="0">');
    for (const site of ["same-origin", "same-site", "none"]) expect((await from(site)).status).toBe(302);
  });

  test("who must choose a new password is led there", async () => {
    const guarded = serverOf([routes("/sub")], { resolvePrincipal: () => restricted(1, "ADMIN") });
    const response = await send(guarded, "GET /redirects/traces/t%3D1");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/sub/reset-password"]);
  });

  test("a place whose look-up is not built does not exist", async () => {
    const few = serverOf([redirectRoutes({}, "")]);
    expect((await send(few, "GET /redirects/traces/t")).status).toBe(404);
  });
});
