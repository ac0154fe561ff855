// Every page by the name of its address, each a chunk of its own. Two addresses that share a component share its state too: a
// table stays where it is while a panel opens over it.
import type { ComponentType } from "react";
import type { PageName } from "../addresses.ts";
import { late } from "../lib/late.tsx";
import { DashboardRedirect } from "./DashboardRedirect.tsx";
import { HomePage } from "./HomePage.tsx";
import { ProjectRedirect } from "./ProjectRedirect.tsx";

type Load = () => Promise<{ readonly default: ComponentType }>;

const loads = new Map<ComponentType, () => Promise<unknown>>();

function page(load: Load): ComponentType {
  const { Part, preload } = late(load);
  loads.set(Part, preload);
  return Part;
}

const projects = page(() => import("./projects/ProjectsPage.tsx"));
const traces = page(() => import("./traces/TracesPage.tsx"));
const spans = page(() => import("./traces/SpansPage.tsx"));
const sessions = page(() => import("./sessions/SessionsPage.tsx"));
const login = page(() => import("./sign-in/LoginPage.tsx"));
const signedOut = page(() => import("./sign-in/SignedOutPage.tsx"));
const forgotPassword = page(() => import("./sign-in/ForgotPasswordPage.tsx"));
const newPassword = page(() => import("./sign-in/NewPasswordPage.tsx"));
const newPasswordByLink = page(() => import("./sign-in/NewPasswordByLinkPage.tsx"));
const profile = page(() => import("./profile/ProfilePage.tsx"));
const generalSettings = page(() => import("./server-settings/GeneralPage.tsx"));
const annotationConfigs = page(() => import("./server-settings/AnnotationConfigsPage.tsx"));
const models = page(() => import("./server-settings/models/ModelsPage.tsx"));
const modelProviders = page(() => import("./server-settings/providers/ProvidersPage.tsx"));
const users = page(() => import("./server-settings/UsersPage.tsx"));
const apiKeys = page(() => import("./server-settings/ApiKeysPage.tsx"));
const retentionSettings = page(() => import("./server-settings/retention/RetentionPage.tsx"));
const secrets = page(() => import("./server-settings/SecretsPage.tsx"));

const metrics = page(() => import("./metrics/MetricsPage.tsx"));
const config = page(() => import("./project-settings/ProjectSettingsPage.tsx"));
const datasets = page(() => import("./datasets/DatasetsPage.tsx"));
const dataset = page(() => import("./datasets/DatasetPage.tsx"));
const comparison = page(() => import("./datasets/comparison/ComparisonPage.tsx"));
const prompts = page(() => import("./prompts/PromptsPage.tsx"));
const prompt = page(() => import("./prompts/PromptPage.tsx"));
const promptEditor = page(() => import("./prompts/editor/PromptEditorPage.tsx"));

export const pages: Readonly<Record<PageName, ComponentType>> = {
  home: HomePage,
  projects,
  project: ProjectRedirect,
  traces,
  trace: traces,
  spans,
  traceOfSpan: spans,
  sessions,
  session: sessions,
  metrics,
  dashboard: DashboardRedirect,
  config,
  datasets,
  dataset,
  examples: dataset,
  example: dataset,
  datasetVersions: dataset,
  experiments: dataset,
  comparison,
  prompts,
  prompt,
  promptVersion: prompt,
  newPrompt: promptEditor,
  newPromptVersion: promptEditor,
  login,
  signedOut,
  forgotPassword,
  newPassword,
  newPasswordByLink,
  profile,
  settings: generalSettings,
  generalSettings,
  annotationConfigs,
  models,
  modelProviders,
  users,
  apiKeys,
  secrets,
  retentionSettings,
};

/** Begins to load a page before it is drawn. */
export async function preloadPage(name: PageName): Promise<void> {
  await loads.get(pages[name])?.();
}
