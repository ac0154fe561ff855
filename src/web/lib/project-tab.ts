// The part of a project that a person wants to see first, remembered for each project by the browser. Without one, the project
// opens with the view that is its start for everybody, else with its traces.
import { declaredPages, type ProjectTab, projectTabs } from "../declared-pages.ts";
import { linkTo } from "./links.ts";
import { createPreference, type Preference } from "./preferences.ts";

type OpeningTab = {
  [Tab in ProjectTab]: (typeof declaredPages)[Tab]["projectTab"] extends "pinned" ? Tab : never;
}[ProjectTab];

/** Parts that a project can open with. */
export const openingTabs = projectTabs.filter((tab): tab is OpeningTab => declaredPages[tab].projectTab === "pinned");

const preferences = new Map<string, Preference<OpeningTab | null>>();

/** Null: none was chosen. */
export function openingTabPreference(projectId: string): Preference<OpeningTab | null> {
  let preference = preferences.get(projectId);
  if (preference === undefined) {
    preference = createPreference<OpeningTab | null>(`opening-tab.${projectId}`, null);
    preferences.set(projectId, preference);
  }
  return preference;
}

/** The part that this person chose; null for none. */
export function chosenTab(projectId: string): OpeningTab | null {
  return openingTabs.find((each) => each === openingTabPreference(projectId).get()) ?? null;
}

/** Where the project opens for this person. */
export function linkToOpening(projectId: string): string {
  return linkTo(chosenTab(projectId) ?? "project", { projectId });
}
