// The API pages: complete without network, and clean under their own policy.
import { describe, expect, test } from "bun:test";
import { send, serverOf } from "../support/api.ts";
import { declaredModules } from "../support/declared-routes.ts";

const server = serverOf(declaredModules(), { settings: { rootPath: "/sub" } });

describe("/docs", () => {
  test("has a policy that forbids inline scripts and other hosts, and obeys it", async () => {
    const response = await send(server, "GET /docs");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("script-src");
    const page = await response.text();
    expect(page).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=|https?:\/\//);
  });

  for (const prefix of ["", "/sub"]) {
    test(`finds every file it names below "${prefix}"`, async () => {
      const page = await (await send(server, `GET ${prefix}/docs`)).text();
      const names = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
      const files = names.filter((name) => !name.startsWith("data:"));
      expect(files).toHaveLength(3);
      for (const file of files) {
        const { pathname } = new URL(file, `http://localhost${prefix}/docs`);
        const response = await send(server, `GET ${pathname}`);
        expect([pathname, response.status, (await response.bytes()).length > 50]).toEqual([pathname, 200, true]);
      }
      const start = await (await send(server, `GET ${prefix}/docs/start.js`)).text();
      const document = /url: "([^"]+)"/.exec(start)?.[1] ?? "";
      const { pathname } = new URL(document, `http://localhost${prefix}/docs`);
      expect(await (await send(server, `GET ${pathname}`)).json()).toMatchObject({ openapi: "3.1.0" });
    });
  }

  test("with a slash at the end leads to the page without, whatever the prefix", async () => {
    for (const prefix of ["", "/sub", "/outer/sub"]) {
      const response = await send(
        serverOf(declaredModules(), { settings: { rootPath: prefix } }),
        `GET ${prefix}/docs/`,
      );
      const target = new URL(response.headers.get("location") ?? "", `http://localhost${prefix}/docs/`);
      expect([response.status, target.pathname]).toEqual([307, `${prefix}/docs`]);
    }
  });

  test("the large files are compressed for those who take it", async () => {
    const response = await send(server, "GET /docs/swagger-ui-bundle.js", { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(Bun.gunzipSync(await response.bytes()).length).toBeGreaterThan(1_000_000);
  });
});
