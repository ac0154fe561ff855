// The architecture as data: which layer a file belongs to, which module may call which, which library lives where. A change of
// the design is a change of these tables; architecture.test.ts only applies them.

/** The folders of the source, ascending: a file may import its own folder and those before it. A folder that is not listed may not
 *  be: give it a place here first. */
export const folders: readonly string[] = [
  // Pure, without a word of the domain.
  "kernel",
  // What spans, their attributes and their summaries are.
  "model",
  // Prices, and what a call costs by them.
  "costs",
  // The example project.
  "demo-data",
  // What is told from spans alone: failures, loops, causes, comparisons, paths, graphs.
  "analysis",
  // Calls of models over the network; told everything they need.
  "providers",
  "config",
  // Who asks, and what they may do.
  "access",
  "storage",
  "filter",
  // How operations are declared, over REST and in GraphQL.
  "api",
  "graphql",
  "ingest",
  // What is known of many spans without reading them: of blocks of spans, and of traces and sessions.
  "summaries",
  "jobs",
  // The features, one folder each, in wings.
  "modules",
  "otlp",
  "web",
  "http",
  // Everything put together.
  "server",
  "cli",
];

/** The one file of the root that every folder may import. */
export const VERSION_FILE = "version.ts";

/** Entry points, beside each other because a compiled binary finds workers only there, and what starts the workers. */
export const entryPoints = /^(main|threads|(ingest|decode|body|block|evaluation|reader)-worker)\.ts$/;
/** The entry point that starts threads and processes: the server and commands ask for them. */
export const THREADS_FILE = "threads.ts";

/** Inside a module, ascending, told by the ending of the name. */
export const moduleLayers = [
  { name: "schema", files: /\.(schema|rules|errors|tables|settings)\.ts$/ },
  { name: "store", files: /\.store\.ts$/ },
  { name: "service", files: /\.service\.ts$/ },
  { name: "transport", files: /\.(routes|graphql)\.ts$/ },
  { name: "feature", files: /\bfeature\.ts$/ },
] as const;

/** What the pages share with the server: what is pure, the shapes of records, and the grammar of conditions, which they cut into
 *  chips with the parser of the server and name attributes by. */
export const sharedWithPages =
  /^(web|kernel|model|costs|demo-data|analysis)\/|^access\/roles\.ts$|^version\.ts$|^modules\/.+\.(schema|rules|errors)\.ts$|^filter\/(limits|refusal|text-literal|tokens|syntax|parser|attribute-path|projection)\.ts$/;

/** Where things are put together: these may import any store, because they hand it to its service. */
export const compositionRoots = /^(cli|server)\/|\.feature\.ts$|-thread\.ts$/;

/** The wings of the modules, and which others each may import. */
export const wings: Readonly<Record<string, readonly string[]>> = {
  /** Who signs in. */
  accounts: [],
  /** What programs send, and what is seen of it. */
  tracing: ["accounts"],
  /** What is measured by it. */
  evaluation: ["accounts", "tracing"],
  /** What concerns the whole instance. */
  instance: ["accounts", "tracing", "evaluation"],
};
/** What a feature is: beside the wings, and without a word of theirs. */
export const FEATURE_FILE = "modules/feature.ts";

/** Which module may receive another module's service. Every module may receive that of projects. */
export const serviceEdges: Readonly<Record<string, readonly string[]>> = {
  sessions: ["traces", "deletion"],
  traces: ["deletion"],
  spans: ["traces", "deletion"],
  "trace-analysis": ["traces", "spans"],
  failures: ["spans"],
  "api-keys": ["users"],
  annotations: ["users"],
  datasets: ["users", "spans", "sessions", "annotations", "annotation-configs", "labels"],
  prompts: ["users", "model-providers", "labels"],
  "model-providers": ["secrets", "users"],
  evaluators: ["users", "datasets", "prompts", "model-providers", "labels"],
  spending: ["models", "users"],
  "model-calls": ["spending"],
  "model-proxy": ["model-calls", "model-providers", "spending"],
  playground: ["model-calls", "model-providers", "prompts", "spans", "spending", "traces"],
  "experiment-jobs": [
    "datasets",
    "evaluators",
    "experiments",
    "model-calls",
    "model-providers",
    "models",
    "prompts",
    "spending",
  ],
  experiments: ["annotation-configs", "datasets", "deletion", "users"],
  retention: ["deletion"],
  auth: ["users", "mail"],
  views: ["users"],
};
export const modulesOpenToAll: readonly string[] = ["projects"];

/** A library may be imported by these files only. One that is not listed may be imported by none: give it a place here first. */
export const libraries: readonly { readonly name: RegExp; readonly files: RegExp }[] = [
  { name: /^bun:sqlite$/, files: /^storage\/sqlite\// },
  { name: /^postgres$/, files: /^storage\/postgres\// },
  { name: /^croner$/, files: /^modules\/tracing\/retention\/schedule\.rules\.ts$/ },
  { name: /^kysely$/, files: /^(storage|filter|ingest|summaries)\/|\.(store|tables)\.ts$/ },
  { name: /^(elysia|@elysiajs\/.+)$/, files: /^http\/|\.routes\.ts$|^modules\/accounts\/auth\// },
  { name: /^jose(\/.+)?$/, files: /^modules\/accounts\/auth\/(tokens\/token\.rules\.ts$|openid\/)/ },
  { name: /^openid-client$/, files: /^modules\/accounts\/auth\/openid\// },
  { name: /^@jmespath-community\/jmespath$/, files: /^kernel\/jmespath\.ts$/ },
  { name: /^aws4fetch$/, files: /^providers\/authorisation\.ts$/ },
  { name: /^ipaddr\.js$/, files: /^providers\/addresses\.ts$/ },
  { name: /^(eventsource-parser|@smithy\/eventstream-codec)$/, files: /^providers\/event-streams\.ts$/ },
  { name: /^ldapts$/, files: /^modules\/accounts\/auth\/ldap\/directory-client/ },
  { name: /^nodemailer$/, files: /^modules\/accounts\/mail\/smtp/ },
  { name: /^@sinclair\/typebox(\/.+)?$/, files: /^(kernel|api|http)\/|\.(schema|routes)\.ts$/ },
  { name: /^papaparse$/, files: /^modules\/evaluation\/datasets\/uploads\/files\/upload-files\.rules\.ts$/ },
  {
    name: /^(hyparquet(-.+)?(\/src\/.+)?|apache-arrow(\/fb\/.+)?|flatbuffers)$/,
    files: /^modules\/evaluation\/datasets\/(uploads\/files|exports)\/[a-z-]+-(parquet|arrow)\.rules\.ts$/,
  },
  { name: /^diff$/, files: /^analysis\/compare\/text-differences\.ts$/ },
  { name: /^swagger-ui-dist\//, files: /^http\// },
  { name: /^(graphql|@pothos\/core|dataloader)$/, files: /^(http\/)?graphql\/|\.graphql\.ts$/ },
  { name: /^re2js$/, files: /^modules\/evaluation\/evaluators\/built-in\/pattern\.rules\.ts$/ },
  { name: /^fastest-levenshtein$/, files: /^modules\/evaluation\/evaluators\/built-in\/text-distance\.rules\.ts$/ },
  { name: /^@grpc\/.+$/, files: /^otlp\/transport\/grpc|^server\/own-traces\.ts$/ },
  { name: /^@opentelemetry\/.+$/, files: /^server\/own-traces\.ts$/ },
];

/** What pages declare beside themselves: gathered below all that knows of pages, and read by the server. */
export const pageDeclarations = /^web\/(pages\/.+\.(page|texts)|declared-pages|page-declaration)\.ts$/;

/** Inside the pages, ascending by what they know: a folder may import itself and those before it. A file outside of them fails:
 *  give its folder a place here first. */
export const webFolders = [
  { name: "contract", files: /^web\/start\.ts$/ },
  { name: "declarations", files: pageDeclarations },
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
  annotations: [],
  costs: [],
  datasets: [],
  explanation: [],
  filter: [],
  labels: [],
  prompts: ["trace"],
  trace: [],
  views: [],
};

/** Libraries of the pages. Charts and editors are loaded on demand, by a chunk of their own. */
export const webLibraries: readonly { readonly name: RegExp; readonly files: RegExp }[] = [
  { name: /^(react|lucide-react|wouter)$/, files: /./ },
  { name: /^react-dom\/client$/, files: /^web\/main\.tsx$/ },
  { name: /^react-dom$/, files: /^web\/(kit\/|lib\/held-keys\.ts)/ },
  { name: /^radix-ui$/, files: /^web\/kit\// },
  { name: /^cmdk$/, files: /^web\/shell\/Palette\.tsx$/ },
  { name: /^@tanstack\/react-query$/, files: /./ },
  { name: /^@tanstack\/react-virtual$/, files: /./ },
  { name: /^(marked|lowlight|hast|highlight\.js\/.+)$/, files: /^web\/domain\/trace\/content\/markdown\// },
  { name: /^gql\.tada$/, files: /^web\/lib\/graphql\.ts$/ },
  { name: /^(@codemirror\/.+|@lezer\/highlight)$/, files: /^web\/kit\/editor\/CodeMirror\.tsx$/ },
  { name: /^papaparse$/, files: /^web\/pages\/datasets\/upload\/first-rows\.ts$/ },
  { name: /^uplot$/, files: /^web\/kit\/charts\// },
  { name: /^diff$/, files: /^web\/kit\/diff\// },
  { name: /^eventsource-parser$/, files: /^web\/lib\/server-events\.ts$/ },
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
