// Every page, gathered from the declarations beside the pages. Their order is that of the sidebar and of tabs. The server answers the
// addresses with the page and all others with 404.
import type { DeclaredPage, PageDeclaration } from "./page-declaration.ts";
import { datasetPages } from "./pages/datasets/datasets.page.ts";
import { failurePages } from "./pages/failures/failures.page.ts";
import { frontPages } from "./pages/front.page.ts";
import { metricsPage } from "./pages/metrics/metrics.page.ts";
import { playgroundPages } from "./pages/playground/playground.page.ts";
import { profilePage } from "./pages/profile/profile.page.ts";
import { projectSettingsPage } from "./pages/project-settings/project-settings.page.ts";
import { projectPages } from "./pages/projects/projects.page.ts";
import { promptPages } from "./pages/prompts/prompts.page.ts";
import { administrationPages } from "./pages/server-settings/administration.page.ts";
import { modelsPage } from "./pages/server-settings/models/models.page.ts";
import { providersPage } from "./pages/server-settings/providers/providers.page.ts";
import { retentionPage } from "./pages/server-settings/retention/retention.page.ts";
import { settingsPages } from "./pages/server-settings/settings.page.ts";
import { sessionPages } from "./pages/sessions/sessions.page.ts";
import { signInPages } from "./pages/sign-in/sign-in.page.ts";
import { tracePages } from "./pages/traces/traces.page.ts";

const declared = [
  frontPages,
  signInPages,
  projectPages,
  tracePages,
  sessionPages,
  failurePages,
  metricsPage,
  projectSettingsPage,
  datasetPages,
  promptPages,
  playgroundPages,
  profilePage,
  settingsPages,
  modelsPage,
  providersPage,
  administrationPages,
  retentionPage,
] as const satisfies readonly PageDeclaration[];

type Part<One, Key extends string> = One extends Readonly<Record<Key, infer Value>> ? Value : never;
/** One type of all the members of a union. */
type Together<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? { readonly [Name in keyof All]: All[Name] }
  : never;

function gather<Key extends keyof PageDeclaration>(key: Key): Together<Part<(typeof declared)[number], Key>> {
  return Object.assign({}, ...declared.map((each: PageDeclaration) => each[key]));
}

export const declaredPages = gather("pages");
export const pageTexts = gather("texts");
export const pageEntities = gather("entities");

type Pages = typeof declaredPages;
export type PageName = keyof Pages;
/** Those that declare it. */
type NameWith<Key extends keyof DeclaredPage> = {
  [Name in PageName]: Pages[Name] extends Readonly<Record<Key, unknown>> ? Name : never;
}[PageName];
export type SidebarPage = NameWith<"sidebar">;
export type ProjectTab = NameWith<"projectTab">;
export type SettingsTab = NameWith<"settingsTab">;
/** Those without a script of their own. */
export type RedirectPage = Exclude<PageName, NameWith<"load">>;

const names = Object.keys(declaredPages) as PageName[];

function namesWith<Key extends keyof DeclaredPage>(key: Key): readonly NameWith<Key>[] {
  return names.filter((name): name is NameWith<Key> => key in declaredPages[name]);
}

export const publicPages: ReadonlySet<PageName> = new Set(namesWith("isPublic"));
export const sidebarPages = namesWith("sidebar");
export const projectTabs = namesWith("projectTab");
export const settingsTabs = namesWith("settingsTab");

export const addresses = Object.fromEntries(names.map((name) => [name, declaredPages[name].path])) as {
  readonly [Name in PageName]: Pages[Name]["path"];
};
