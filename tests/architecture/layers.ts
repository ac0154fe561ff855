// The architecture as data: which layer a file belongs to, which module may call which, which library lives where. A change of
// the design is a change of these tables; architecture.test.ts only applies them.

/** Ascending: a file may import its own layer and those before it. */
export const layers = [
  { name: "kernel", files: /^kernel\/|^version\.ts$/ },
  { name: "config", files: /^config\// },
  { name: "schema", files: /^modules\/(.+\.(schema|rules|errors)|auth\/policy)\.ts$/ },
  // The grammar of conditions: pages cut conditions into chips with the parser of the server.
  { name: "grammar", files: /^filter\/(limits|refusal|text-literal|tokens|syntax|parser)\.ts$/ },
  // The pages: they share what is pure and the shapes of records with the server, nothing else.
  { name: "web", files: /^web\// },
  { name: "storage", files: /^(storage|filter)\// },
  { name: "store", files: /^modules\/(.+\.store\.ts$|traces\/ingest\/)/ },
  { name: "service", files: /^modules\/.+\.service\.ts$/ },
  { name: "api", files: /^(api|graphql\/types)\// },
  { name: "transport", files: /^otlp\/(?!.*\.feature\.)|^jobs\/|^modules\/.+\.(routes|graphql)\.ts$/ },
  { name: "feature", files: /^(modules|otlp)\/(.+\.)?feature\.ts$/ },
  { name: "server", files: /^(http|graphql)\// },
  {
    name: "root",
    files:
      /^server\/|^(threads|ingest-worker|decode-worker|body-worker|block-worker|reader-worker|reader-process)\.ts$/,
  },
  { name: "cli", files: /^cli\// },
  { name: "main", files: /^main\.ts$/ },
] as const;

/** Where things are put together: these may import any store, because they hand it to its service. */
export const compositionRoots =
  /^(main|threads|ingest-worker|decode-worker|body-worker|block-worker|reader-worker|reader-process)\.ts$|^(cli|server)\/|\.feature\.ts$/;

/** Which module may receive another module's service. Every module may receive that of projects. */
export const serviceEdges: Readonly<Record<string, readonly string[]>> = {
  sessions: ["traces"],
  traces: ["sessions"],
  spans: ["traces"],
  "api-keys": ["users"],
  auth: ["users", "mail"],
};
export const modulesOpenToAll: readonly string[] = ["projects"];

/** A library may be imported by these files only. One that is not listed may be imported by none: give it a place here first. */
export const libraries: readonly { readonly name: RegExp; readonly files: RegExp }[] = [
  { name: /^bun:sqlite$/, files: /^storage\/sqlite\// },
  { name: /^postgres$/, files: /^storage\/postgres\// },
  { name: /^kysely$/, files: /^(storage|filter)\/|\.store\.ts$/ },
  { name: /^(elysia|@elysiajs\/.+)$/, files: /^http\/|\.routes\.ts$|^modules\/auth\// },
  { name: /^jose\/.+$/, files: /^modules\/auth\/token\.rules\.ts$/ },
  { name: /^nodemailer$/, files: /^modules\/mail\/smtp/ },
  { name: /^@sinclair\/typebox(\/.+)?$/, files: /^(kernel|api|http)\/|\.(schema|routes)\.ts$/ },
  { name: /^swagger-ui-dist\//, files: /^http\// },
  { name: /^(graphql|@pothos\/core|dataloader)$/, files: /^graphql\/|\.graphql\.ts$/ },
  { name: /^@grpc\/.+$/, files: /^otlp\/grpc/ },
];

/** Inside the pages, ascending by what they know: a folder may import itself and those before it. A file outside of them fails:
 *  give its folder a place here first. */
export const webFolders = [
  { name: "contract", files: /^web\/(addresses|start)\.ts$/ },
  { name: "texts", files: /^web\/texts\// },
  { name: "lib", files: /^web\/lib\// },
  { name: "kit", files: /^web\/kit\// },
  { name: "domain", files: /^web\/domain\// },
  { name: "shell", files: /^web\/shell\// },
  { name: "explorer", files: /^web\/explorer\// },
  { name: "pages", files: /^web\/pages\// },
  { name: "entry", files: /^web\/(main|router|theme-start)\.tsx?$/ },
] as const;

/** Things of the domain that several pages share, and which others of them each may import. */
export const webDomains: Readonly<Record<string, readonly string[]>> = {
  account: [],
  filter: [],
  trace: [],
};

/** Libraries of the pages. Charts and editors are loaded on demand, by a chunk of their own. */
export const webLibraries: readonly { readonly name: RegExp; readonly files: RegExp }[] = [
  { name: /^(react|lucide-react|wouter)$/, files: /./ },
  { name: /^react-dom\/client$/, files: /^web\/main\.tsx$/ },
  { name: /^react-dom$/, files: /^web\/kit\// },
  { name: /^radix-ui$/, files: /^web\/kit\// },
  { name: /^cmdk$/, files: /^web\/shell\/Palette\.tsx$/ },
  { name: /^@tanstack\/react-query$/, files: /./ },
  { name: /^@tanstack\/react-virtual$/, files: /./ },
  { name: /^(marked|lowlight|hast|highlight\.js\/.+)$/, files: /^web\/domain\/trace\/content\/markdown\// },
  { name: /^gql\.tada$/, files: /^web\/lib\/graphql\.ts$/ },
  { name: /^uplot$/, files: /^web\/kit\/charts\// },
];

/** Names that say nothing about what is inside. */
export const emptyNames: readonly string[] = [
  "util",
  "utils",
  "utilities",
  "helper",
  "helpers",
  "common",
  "misc",
  "manager",
];

export const MAX_LINES = 500;
