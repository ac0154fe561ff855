// The pages of the web UI and their files. Every page is the same document, written for each request: it names the files of the
// build, the root path as base of all addresses, and the start configuration. Scripts come only from files,
// so that the policy can forbid inline ones.
import { type Call, type RouteModule, route } from "../api/route.ts";
import { fail } from "../kernel/failure.ts";
import { addresses } from "../web/declared-pages.ts";
import { BUILD_FILE, type ServedBuild, START_ELEMENT, type StartConfiguration } from "../web/start.ts";
import type { WebBuild, WebFiles } from "./web-files.ts";

type PageSettings = Omit<StartConfiguration, "styleNonce" | "build">;

export interface Pages {
  readonly module: RouteModule;
  /** The page, served to browsers for an unknown path; null for other requests. */
  notFound(request: Request, path: string): Promise<Response | null>;
}

const YEAR_SECONDS = 31_536_000;
/** In the address of the login page. */
const STAYS = ["error", "message", "manual"];

/** What stands in for the pages under `--no-ui`: their addresses say so, all others are unknown as ever. */
export function switchedOffPages(rootPath: string): Pages {
  const paths = [...Object.values(addresses), "/assets/{name}"];
  const sentence = `The pages are switched off (--no-ui). The API is described at ${rootPath}/docs.`;
  return {
    module: {
      name: "pages",
      routes: paths.map((path) =>
        route({
          method: "GET",
          path: path as string,
          operationId: `get ${path}`,
          summary: "A page that is switched off",
          action: "pages.open",
          status: 200,
          documented: false,
          handler: () => {
            throw fail("pages.switched_off", "not_found", sentence);
          },
        }),
      ),
    },
    notFound: async () => null,
  };
}

export function createPages(files: WebFiles, settings: PageSettings): Pages {
  async function page(status: number): Promise<Response> {
    const web = await files.current();
    const styleNonce = crypto.randomUUID();
    return new Response(documentOf(web.manifest, { ...settings, styleNonce, build: buildOf(web) }), {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policyOf(styleNonce),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cache-control": "no-cache",
      },
    });
  }

  /** With auto-login the way to the provider; errors, messages and `manual` show the page, or signing out would have no effect. */
  async function login({ request }: Call<unknown, undefined, undefined>): Promise<Response> {
    const { search, searchParams } = new URL(request.url);
    const provider = settings.signIn?.autoLogin ?? null;
    if (provider === null || STAYS.some((name) => searchParams.has(name))) return page(200);
    const location = `${settings.basePath}/oauth2/${provider}/login${search}`;
    return new Response(null, { status: 307, headers: { location } });
  }

  const buildOf = ({ id }: WebBuild): string => `${settings.version}-${id}`;

  /** Open pages ask for it: a page of another build reloads. */
  const build = async () =>
    Response.json({ build: buildOf(files.lastRead() ?? (await files.current())) } satisfies ServedBuild, {
      headers: { "cache-control": "no-store" },
    });

  const asset = async ({ params: { name }, request }: Call<{ readonly name: string }, undefined, undefined>) => {
    if (name === BUILD_FILE) return build();
    const web = files.lastRead() ?? (await files.current());
    return assetOf(web, name, request) ?? assetOf(await files.current(), name, request) ?? missing(name);
  };

  return {
    module: {
      name: "pages",
      routes: [
        ...Object.values(addresses).map((path) =>
          route({
            method: "GET",
            path: path as string,
            operationId: `get ${path}`,
            summary: "A page",
            action: "pages.open",
            status: 200,
            documented: false,
            handler: path === addresses.login ? login : () => page(200),
          }),
        ),
        route({
          method: "GET",
          path: "/assets/{name}",
          operationId: "get /assets",
          summary: "A file of the pages",
          action: "server.document",
          status: 200,
          documented: false,
          handler: asset,
        }),
      ],
    },
    async notFound(request, path) {
      const forPerson = request.method === "GET" && (request.headers.get("accept") ?? "").includes("text/html");
      return forPerson && !/^\/(v1|assets)(\/|$)/.test(path) ? page(404) : null;
    },
  };
}

function missing(name: string): never {
  throw fail("pages.no_asset", "not_found", `There is no file ${name}`);
}

function assetOf({ manifest, pathOf }: WebBuild, name: string, request: Request): Response | null {
  const file = Object.hasOwn(manifest.files, name) ? manifest.files[name] : undefined;
  if (file === undefined) return null;
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = file.encodings.find((each) =>
    new RegExp(`\\b${each}\\b(?!\\s*;\\s*q=0(\\.0*)?(,|$))`).test(accepted),
  );
  return new Response(Bun.file(pathOf(name, encoding ?? null)), {
    headers: {
      "content-type": file.type,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      "cache-control": `public, max-age=${YEAR_SECONDS}, immutable`,
      "x-content-type-options": "nosniff",
    },
  });
}

function policyOf(styleNonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}

function documentOf(manifest: WebBuild["manifest"], start: StartConfiguration): string {
  const { script, theme, styles, preload } = manifest;
  const fonts = preload.fonts.map(
    (name) => `<link rel="preload" href="assets/${name}" as="font" type="font/woff2" crossorigin>`,
  );
  const chunks = preload.scripts.map((name) => `<link rel="modulepreload" href="assets/${name}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="${escaped(start.basePath)}/">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Spanlight</title>
<script src="assets/${theme}"></script>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<link rel="stylesheet" href="assets/${styles}">
${[...fonts, ...chunks].join("\n")}
<script type="module" src="assets/${script}"></script>
<script type="application/json" id="${START_ELEMENT}">${JSON.stringify(start).replaceAll("<", "\\u003c")}</script>
</head>
<body>
<div id="root"></div>
<noscript>Spanlight shows its pages with JavaScript, which is switched off here.</noscript>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="8" fill="#1f1d1a"/>' +
  '<path fill="#e59a1f" d="M6 8.2h9v2.6H6zM9 12.7h13v2.6H9zM13 17.2h6v2.6h-6z"/></svg>';
