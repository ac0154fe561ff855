// Where the palette leads without asking the server: the tabs of the project that is open, and the settings.
import { useLocation } from "wouter";
import { linkTo } from "../lib/links.ts";
import { start } from "../lib/start.ts";
import { useRights } from "../lib/viewer.ts";
import { text } from "../texts/texts.ts";

export interface Place {
  readonly label: string;
  readonly to: string;
}

const tabs = ["traces", "spans", "sessions", "metrics", "config"] as const;
/** Those of the settings that each may open; the pages themselves decide all the same. */
const settingsOf = (isAdministrator: boolean) =>
  [
    "generalSettings",
    "annotationConfigs",
    ...(isAdministrator && start.authenticationEnabled ? (["users", "apiKeys"] as const) : []),
    ...(isAdministrator ? (["secrets"] as const) : []),
  ] as const;

/** Empty outside of a project. */
export function useTabPlaces(): readonly Place[] {
  const [path] = useLocation();
  const projectId = /^\/projects\/([^/]+)/.exec(path)?.[1];
  if (projectId === undefined) return [];
  return tabs.map((tab) => ({
    label: text(`explorer.tab.${tab}`),
    to: linkTo(tab, { projectId: decodeURIComponent(projectId) }),
  }));
}

export function useSettingsPlaces(): readonly Place[] {
  const { isAdministrator } = useRights();
  const own = start.authenticationEnabled ? [{ label: text("shell.profile"), to: linkTo("profile") }] : [];
  return [
    ...own,
    ...settingsOf(isAdministrator).map((page) => ({
      label: `${text("shell.settings")}: ${text(`settings.tab.${page}`)}`,
      to: linkTo(page),
    })),
  ];
}
