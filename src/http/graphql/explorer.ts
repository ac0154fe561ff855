// The GraphQL explorer: GraphiQL from our own files, so that it works without network and under a policy that forbids inline
// scripts. The files are named by their paths, because their packages do not export them.
import stylesPath from "../../../node_modules/graphiql/graphiql.min.css" with { type: "file" };
import bundlePath from "../../../node_modules/graphiql/graphiql.min.js" with { type: "file" };
import reactDomPath from "../../../node_modules/react-dom-umd/umd/react-dom.production.min.js" with { type: "file" };
import reactPath from "../../../node_modules/react-umd/umd/react.production.min.js" with { type: "file" };
import { type Route, route } from "../../api/route.ts";

// GraphiQL sets style attributes and brings its fonts and icons as data addresses.
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

// Addresses are relative to /graphql, so that the page works below any prefix.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Spanlight GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="graphql/graphiql.css">
<link rel="stylesheet" href="graphql/page.css">
</head>
<body>
<div id="graphiql">Loading</div>
<script src="graphql/react.js"></script>
<script src="graphql/react-dom.js"></script>
<script src="graphql/graphiql.js"></script>
<script src="graphql/start.js"></script>
</body>
</html>
`;

const PAGE_STYLES = "html, body, #graphiql { height: 100%; margin: 0; }\n";

const START = `const fetcher = GraphiQL.createFetcher({ url: location.href.split(/[?#]/, 1)[0] });
ReactDOM.createRoot(document.getElementById("graphiql")).render(React.createElement(GraphiQL, { fetcher }));
`;

const SCRIPT = "text/javascript; charset=utf-8";
const STYLES = "text/css; charset=utf-8";
const files: readonly { readonly name: string; readonly type: string; readonly content: () => BodyInit }[] = [
  { name: "start.js", type: SCRIPT, content: () => START },
  { name: "page.css", type: STYLES, content: () => PAGE_STYLES },
  { name: "react.js", type: SCRIPT, content: () => Bun.file(reactPath) },
  { name: "react-dom.js", type: SCRIPT, content: () => Bun.file(reactDomPath) },
  { name: "graphiql.js", type: SCRIPT, content: () => Bun.file(bundlePath) },
  { name: "graphiql.css", type: STYLES, content: () => Bun.file(stylesPath) },
];

function served(body: BodyInit, type: string): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    },
  });
}

/** The page; below an address with a slash at its end the files would not be found. */
export function explorerPage(request: Request): Response {
  return new URL(request.url).pathname.endsWith("/")
    ? new Response(null, { status: 307, headers: { location: "../../graphql" } })
    : served(PAGE, "text/html; charset=utf-8");
}

/** Its files, which hold nothing of this service and need no login. */
export function explorerRoutes(): readonly Route[] {
  return files.map(({ name, type, content }) =>
    route({
      method: "GET",
      path: `/graphql/${name}`,
      operationId: `get /graphql/${name}`,
      summary: "A file of the GraphQL explorer",
      action: "server.document",
      status: 200,
      documented: false,
      handler: () => served(content(), type),
    }),
  );
}
