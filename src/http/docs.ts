// The API pages: the OpenAPI document, and Swagger UI from our own files, so that it works without network and under a policy
// that forbids inline scripts.
import stylesPath from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundlePath from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { type RouteModule, route } from "../api/route.ts";
import { JSON_TYPE } from "./failures.ts";

// Swagger UI sets style attributes and draws its icons from data addresses.
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

// Addresses are relative to /docs, so that the page works below any prefix.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Spanlight API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: "openapi.json", dom_id: "#swagger-ui", validatorUrl: null, deepLinking: true });
`;

/** `document` makes the text of the OpenAPI document; it is asked once. */
export function docsRoutes(document: () => string): RouteModule {
  let text: string | null = null;
  const files: readonly { path: string; type: string; content: (request: Request) => BodyInit }[] = [
    {
      path: "/openapi.json",
      type: JSON_TYPE,
      content: () => {
        text ??= document();
        return text;
      },
    },
    { path: "/docs", type: "text/html; charset=utf-8", content: () => PAGE },
    { path: "/docs/start.js", type: "text/javascript; charset=utf-8", content: () => START },
    { path: "/docs/swagger-ui-bundle.js", type: "text/javascript; charset=utf-8", content: () => Bun.file(bundlePath) },
    { path: "/docs/swagger-ui.css", type: "text/css; charset=utf-8", content: () => Bun.file(stylesPath) },
  ];
  const pages = files.map(({ path, type, content }) =>
    route({
      method: "GET",
      path,
      operationId: `get ${path}`,
      summary: "The API documentation",
      action: "server.document",
      status: 200,
      documented: false,
      handler: ({ request }) =>
        // Relative addresses need the page at /docs, not at /docs/.
        new URL(request.url).pathname.endsWith("/")
          ? new Response(null, { status: 307, headers: { location: `..${path}` } })
          : new Response(content(request), {
              headers: {
                "content-type": type,
                "content-security-policy": POLICY,
                "x-content-type-options": "nosniff",
                "cache-control": "no-cache",
              },
            }),
    }),
  );
  return { name: "docs", routes: pages };
}
