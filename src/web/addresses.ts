// Every address that opens a page, below the root path. The server answers these with the page and all others with 404; the
// router shows, for each, the page that is registered under the same name. Only add what has a page.

export const addresses = {
  home: "/",
  login: "/login",
  signedOut: "/logout",
  forgotPassword: "/forgot-password",
  newPassword: "/reset-password",
  newPasswordByLink: "/reset-password-with-token",
  projects: "/projects",
  project: "/projects/{projectId}",
  traces: "/projects/{projectId}/traces",
  trace: "/projects/{projectId}/traces/{traceId}",
  spans: "/projects/{projectId}/spans",
  traceOfSpan: "/projects/{projectId}/spans/{traceId}",
  sessions: "/projects/{projectId}/sessions",
  session: "/projects/{projectId}/sessions/{sessionId}",
  metrics: "/projects/{projectId}/metrics",
  dashboard: "/dashboards/projects/{projectId}",
  config: "/projects/{projectId}/config",
  datasets: "/datasets",
  dataset: "/datasets/{datasetId}",
  examples: "/datasets/{datasetId}/examples",
  example: "/datasets/{datasetId}/examples/{exampleId}",
  datasetVersions: "/datasets/{datasetId}/versions",
  experiments: "/datasets/{datasetId}/experiments",
  comparison: "/datasets/{datasetId}/compare",
  prompts: "/prompts",
  newPrompt: "/prompts/new",
  prompt: "/prompts/{promptId}",
  promptVersion: "/prompts/{promptId}/versions/{versionId}",
  newPromptVersion: "/prompts/{promptId}/versions/{versionId}/edit",
  profile: "/profile",
  settings: "/settings",
  generalSettings: "/settings/general",
  annotationConfigs: "/settings/annotations",
  models: "/settings/models",
  modelProviders: "/settings/providers",
  users: "/settings/users",
  apiKeys: "/settings/api-keys",
  secrets: "/settings/secrets",
  retentionSettings: "/settings/data-retention",
} as const;

export type PageName = keyof typeof addresses;

/** Public pages: rendered without the shell, never redirected to the login. */
export const openPages: ReadonlySet<PageName> = new Set([
  "login",
  "signedOut",
  "forgotPassword",
  "newPassword",
  "newPasswordByLink",
]);
