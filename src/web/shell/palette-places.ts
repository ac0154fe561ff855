// Where the palette leads besides what is typed: the tabs and views of the project that is open, and the settings.
import { useLocation } from "wouter";
import { projectTabs } from "../declared-pages.ts";
import { useViews } from "../domain/views/use-views.ts";
import { linkToView } from "../domain/views/views.ts";
import { lastProjectPreference } from "../lib/last-project.ts";
import { linkTo } from "../lib/links.ts";
import { start } from "../lib/start.ts";
import { text } from "../texts/texts.ts";
import { settingsTabLabel, useSettingsTabs } from "./settings-tabs.ts";

export interface Place {
  readonly label: string;
  readonly to: string;
}

function useOpenProject(): string | null {
  const [path] = useLocation();
  const projectId = /^\/projects\/([^/]+)/.exec(path)?.[1];
  return projectId === undefined ? null : decodeURIComponent(projectId);
}

/** Empty outside of a project. */
export function useTabPlaces(): readonly Place[] {
  const projectId = useOpenProject();
  if (projectId === null) return [];
  return projectTabs.map((tab) => ({ label: text(`explorer.tab.${tab}`), to: linkTo(tab, { projectId }) }));
}

interface ViewPlace extends Place {
  readonly id: string;
  readonly tab: string;
}

/** Those of the project that is open, else of the last one. */
export function useViewPlaces(): readonly ViewPlace[] {
  const open = useOpenProject();
  const projectId = open ?? lastProjectPreference.get();
  const views = useViews(projectId) ?? [];
  return views.map((view) => ({
    id: view.id,
    label: view.name,
    tab: text(`explorer.tab.${view.tab}`),
    to: projectId === null ? "" : linkToView(projectId, view),
  }));
}

export function useSettingsPlaces(): readonly Place[] {
  const own = start.authenticationEnabled ? [{ label: text("shell.profile"), to: linkTo("profile") }] : [];
  const tabs = useSettingsTabs().map((tab) => ({
    label: `${text("settings.title")}: ${settingsTabLabel(tab)}`,
    to: linkTo(tab),
  }));
  return [...own, ...tabs];
}
