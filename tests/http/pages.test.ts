// The pages as the server gives them out: their document, their files, and unknown addresses.
import { describe, expect, test } from "bun:test";
import { createPages } from "../../src/http/pages.ts";
import { openWebFiles } from "../../src/http/web-files.ts";
import { addresses } from "../../src/web/declared-pages.ts";
import { send, serverOf } from "../support/api.ts";
import { declaredModules } from "../support/declared-routes.ts";

const files = openWebFiles();

const signIn = {
  password: true,
  directory: false,
  directoryAccounts: false,
  passwordReset: false,
  providers: [],
  autoLogin: null,
  passwordRules: { minimumLength: 4, classes: ["digit" as const] },
};

function serverBelow(rootPath: string, version = "1.2.3", autoLogin: string | null = null) {
  const pages = createPages(files, {
    basePath: rootPath,
    version,
    supportEmail: "a<b>@c.de",
    readOnly: false,
    authenticationEnabled: true,
    signIn: { ...signIn, autoLogin },
    managementUrl: null,
    offeredProviders: null,
  });
  const others = declaredModules().filter(({ name }) => name !== "pages");
  return serverOf([...others, pages.module], { notFoundPage: pages.notFound, settings: { rootPath } });
}

const server = serverBelow("");
const asPerson = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
const addressesOfPages = Object.values(addresses).map((path) => path.replace(/\{\w+\}/g, "some-id"));

function namesIn(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, name]) => name!)
    .filter((name) => /^assets\//.test(name));
}

describe("a page", () => {
  test.each(addressesOfPages)("is at %s", async (path) => {
    const response = await send(server, `GET ${path}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(response.headers.get("cache-control")).toBe("no-cache");
  });

  test("knows its build, which the server tells to all that are open", async () => {
    const told = async (of: typeof server) => {
      const response = await send(of, "GET /assets/build.json");
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      return ((await response.json()) as { build: string }).build;
    };
    const page = await (await send(server, "GET /projects")).text();
    expect(page).toContain(`"build":"${await told(server)}"`);
    expect(await told(serverBelow("", "1.2.4"))).not.toBe(await told(server));
  });

  test("runs scripts from files only, and asks no other host", async () => {
    const response = await send(server, "GET /projects");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(policy).not.toMatch(/https?:|\*/);
    const page = await response.text();
    expect(page).not.toMatch(/<script>|\son\w+=|\sstyle=|<style/);
    expect(page.replaceAll("http%3A%2F%2Fwww.w3.org%2F2000%2Fsvg", "")).not.toMatch(/https?:/);
    const inline = [...page.matchAll(/<script ([^>]*)>([^<]+)/g)].map(([, attributes]) => attributes);
    expect(inline).toEqual(['type="application/json" id="start"']);
  });

  test("carries the start configuration; nothing in it can end the element that holds it", async () => {
    const page = await (await send(server, "GET /projects")).text();
    const text = /<script type="application\/json" id="start">(.*?)<\/script>/.exec(page)![1]!;
    expect(text).not.toContain("<");
    const start = JSON.parse(text);
    expect(start).toMatchObject({
      basePath: "",
      version: "1.2.3",
      supportEmail: "a<b>@c.de",
      readOnly: false,
      authenticationEnabled: true,
      signIn,
      managementUrl: null,
      offeredProviders: null,
    });
    const again = await (await send(server, "GET /projects")).text();
    expect(again).not.toContain(start.styleNonce);
  });

  test.each(["", "/sub", "/outer/sub"])(
    "finds all its files below '%s', with the prefix and without",
    async (rootPath) => {
      const below = serverBelow(rootPath);
      for (const prefix of new Set(["", rootPath])) {
        const page = await (await send(below, `GET ${prefix}/projects`)).text();
        expect(page).toContain(`<base href="${rootPath}/">`);
        for (const name of namesIn(page)) {
          const { pathname } = new URL(name, `http://localhost${rootPath}/`);
          const stripped = pathname.slice(rootPath.length);
          expect([
            (await send(below, `GET ${pathname}`)).status,
            (await send(below, `GET ${stripped}`)).status,
          ]).toEqual([200, 200]);
        }
      }
    },
  );
});

describe("a file of the pages", () => {
  const script = async () =>
    `GET /${namesIn(await (await send(server, "GET /")).text()).find((name) => /main-/.test(name))}`;

  test("is kept for ever and comes compressed as asked for", async () => {
    const plain = await send(server, await script());
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("vary")).toContain("Accept-Encoding");
    const bytes = await plain.bytes();
    const zstd = await send(server, await script(), { headers: { "accept-encoding": "gzip, br, zstd" } });
    expect(zstd.headers.get("content-encoding")).toBe("zstd");
    expect(Bun.zstdDecompressSync(await zstd.bytes())).toEqual(Buffer.from(bytes));
    const gzip = await send(server, await script(), { headers: { "accept-encoding": "gzip, zstd;q=0" } });
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    expect(Bun.gunzipSync(await gzip.bytes())).toEqual(new Uint8Array(bytes));
  });

  test.each(["main-00000000.js", "constructor", "..%2Fmanifest.json", "manifest.json"])(
    "that does not exist is 404 and never the page: %s",
    async (name) => {
      const response = await send(server, `GET /assets/${name}`, asPerson);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("<");
    },
  );

  test("names no other host to load from", async () => {
    const { manifest, pathOf } = await files.current();
    for (const name of Object.keys(manifest.files)) {
      if (!/\.(js|css)$/.test(name)) continue;
      const text = await Bun.file(pathOf(name, null)).text();
      expect({ name, found: text.match(/(?:url\(|import\(?|@import)\s*["']?(?:https?:)?\/\/[^"')]+/g) }).toEqual({
        name,
        found: null,
      });
    }
  });
});

describe("an unknown address", () => {
  test.each(["/nowhere", "/projects/x/nothing", "/assetsx/y"])("shows a person the page with 404: %s", async (path) => {
    const response = await send(server, `GET ${path}`, asPerson);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  });

  test("is plain text for programs, and below the API for everybody", async () => {
    for (const [line, init] of [
      ["GET /nowhere", {}],
      ["POST /nowhere", asPerson],
      ["GET /v1/nowhere", asPerson],
    ] as const) {
      const response = await send(server, line, init);
      expect([line, response.status, (await response.text()).includes("<")]).toEqual([line, 404, false]);
    }
  });
});

describe("the size", () => {
  /** Compressed with gzip, bytes. */
  const INITIAL_SCRIPTS = 250_000;
  /** With what they share with pages. */
  const LATE_SCRIPTS = 125_000;

  test("of what a page needs before it can run stays within its budget, whichever page it is", async () => {
    const { manifest, pathOf } = await files.current();
    const size = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + Bun.file(pathOf(name, "gzip")).size, 0);
    const initial = size([manifest.script, manifest.theme, ...manifest.preload.scripts]);
    const sizes = Object.entries(manifest.late).map(([name, others]) => ({ name, bytes: size([name, ...others]) }));
    const isPage = ({ name }: { readonly name: string }) => /^\w+Page-/.test(name);
    const pages = sizes.filter(isPage).map(({ name, bytes }) => ({ name, bytes: initial + bytes }));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.filter(({ bytes }) => bytes > INITIAL_SCRIPTS)).toEqual([]);
    // Parts of pages come when they are shown.
    const parts = sizes.filter((each) => !isPage(each));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter(({ bytes }) => bytes > LATE_SCRIPTS)).toEqual([]);
    expect(size([manifest.styles])).toBeLessThan(40_000);
  });
});

describe("auto-login", () => {
  test("leads from the login page to the provider with the query kept, but for errors, messages and by hand", async () => {
    const straight = serverBelow("/tools", "1.2.3", "corp");
    const visit = async (line: string) => {
      const response = await send(straight, line, asPerson);
      return [response.status, response.headers.get("location")];
    };
    expect(await visit("GET /tools/login")).toEqual([307, "/tools/oauth2/corp/login"]);
    expect(await visit("GET /tools/login?returnUrl=%2Fprojects")).toEqual([
      307,
      "/tools/oauth2/corp/login?returnUrl=%2Fprojects",
    ]);
    for (const query of ["error=auth_failed", "message=expired", "manual", "returnUrl=%2F&manual=1"]) {
      expect(await visit(`GET /tools/login?${query}`)).toEqual([200, null]);
    }
    expect(await visit("GET /tools/logout")).toEqual([200, null]);
    expect((await send(server, "GET /login", asPerson)).status).toBe(200);
  });
});
