// Projects over REST, from the request to the row and back, on both databases.

import { expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openForSuite } from "../support/suite.ts";

interface ProjectAnswer {
  readonly data: { readonly id: string; readonly name: string; readonly description: string | null };
}
interface ProjectPage {
  readonly data: readonly ProjectAnswer["data"][];
  readonly next_cursor: string | null;
}

forEachDriver("projects over REST", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));

  const ask = async <Body>(line: string, json?: unknown): Promise<{ status: number; body: Body; text: string }> => {
    const response = await send(api.server, line, json === undefined ? {} : { json });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : null) as Body };
  };

  test("create answers 200 with id, name and description, and nothing else", async () => {
    const { status, body } = await ask<ProjectAnswer>("POST /v1/projects", {
      name: "first",
      description: "d",
      color: "x",
    });
    expect([status, body]).toEqual([200, { data: { id: expect.any(String), name: "first", description: "d" } }]);
    expect((await ask<ProjectAnswer>("POST /v1/projects", { name: "second" })).body.data.description).toBeNull();
  });

  test("a taken name is 409 as text", async () => {
    const { status, text, body } = await ask("POST /v1/projects", { name: "first" });
    expect([status, text, body]).toEqual([409, 'A project named "first" exists', null]);
  });

  test("a name beyond 1024 bytes is 422 as JSON", async () => {
    const { status, body } = await ask("POST /v1/projects", { name: "ü".repeat(513) });
    expect([status, body]).toMatchObject([422, { detail: [{ type: "string_too_long", loc: ["body", "name"] }] }]);
    expect((await ask("POST /v1/projects", { name: "ü".repeat(512) })).status).toBe(200);
  });

  test("get by name, by encoded name and by id", async () => {
    const { body: made } = await ask<ProjectAnswer>("POST /v1/projects", { name: "with blank/slash" });
    const id = encodeURIComponent(made.data.id);
    expect((await ask<ProjectAnswer>(`GET /v1/projects/${id}`)).body).toEqual(made);
    expect((await ask("GET /v1/projects/with%20blank%2Fslash")).status).toBe(404);
    expect((await ask<ProjectAnswer>("GET /v1/projects/first")).body.data.name).toBe("first");
    expect((await ask("GET /v1/projects/nobody")).text).toContain("nobody");
  });

  test("update changes the description, ignores the name and checks colours", async () => {
    const changed = await ask<ProjectAnswer>("PUT /v1/projects/first", { description: "new", name: "other" });
    expect(changed.body.data).toMatchObject({ name: "first", description: "new" });
    expect((await ask("PUT /v1/projects/first", { gradient_start_color: "#00ff00" })).status).toBe(200);
    const refused = await ask("PUT /v1/projects/first", { gradient_end_color: "#00FF00" });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { detail: [{ type: "string_pattern_mismatch", loc: ["body", "gradient_end_color"] }] },
    ]);
  });

  test("the list pages with inclusive cursors and filters by name", async () => {
    const page = await ask<ProjectPage>("GET /v1/projects?limit=1&name_contains=S");
    expect(page.body.data.map(({ name }) => name)).toEqual(["with blank/slash"]);
    const next = await ask<ProjectPage>(`GET /v1/projects?limit=5&name_contains=S&cursor=${page.body.next_cursor}`);
    expect(next.body).toMatchObject({ data: [{ name: "second" }, { name: "first" }], next_cursor: null });
    expect((await ask<ProjectPage>("GET /v1/projects?name_contains=zzz")).body).toEqual({
      data: [],
      next_cursor: null,
    });
    const all = await ask<ProjectPage>("GET /v1/projects?include_experiment_projects=yes&limit=1000");
    expect(all.body.data.at(-1)).toEqual({
      id: globalId("Project", 1),
      name: "default",
      description: "Default project",
    });
  });

  test("no cursor is ever a fault of ours", async () => {
    const numbers = ["", "-1", "2147483648", "9223372036854775808", "1e3", "1.0", " 1", "9".repeat(300)];
    for (const number of numbers) {
      const cursor = encodeURIComponent(Buffer.from(`Project:${number}`).toString("base64"));
      expect({ number, status: (await ask(`GET /v1/projects?cursor=${cursor}`)).status }).toEqual({
        number,
        status: 422,
      });
    }
    expect((await ask(`GET /v1/projects?cursor=${globalId("Trace", 2147483647)}`)).status).toBe(200);
  });

  test("delete is 204 without a body, then 404", async () => {
    const gone = await ask("DELETE /v1/projects/second");
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await ask("DELETE /v1/projects/second")).status).toBe(404);
    expect((await ask("DELETE /v1/projects/default")).status).toBe(403);
  });

  test("a redirect leads from a name to the page of the project", async () => {
    const { body } = await ask<ProjectAnswer>("GET /v1/projects/first");
    const response = await send(api.server, "GET /redirects/projects/first");
    expect([response.status, response.headers.get("location")]).toEqual([302, `/projects/${body.data.id}`]);
    expect((await ask("GET /redirects/projects/nobody")).status).toBe(404);
  });
});
