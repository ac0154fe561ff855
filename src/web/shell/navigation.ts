// The navigation of the sidebar and of the menu: only pages that exist. Settings stand apart, below.
import { Database, ListTree, type LucideIcon, MessageSquareText, Settings } from "lucide-react";
import { addresses } from "../addresses.ts";
import type { LabelKey } from "../texts/texts.ts";

type CountField = "projectCount" | "datasetCount" | "promptCount";

export interface NavigationItem {
  readonly label: LabelKey;
  readonly to: string;
  readonly icon: LucideIcon;
  /** Stands at the lower end of the sidebar. */
  readonly below?: boolean;
  /** Which number of `NavigationCounts` stands beside it. */
  readonly count?: CountField;
}

const all: readonly NavigationItem[] = [
  { label: "shell.projects", to: "/projects", icon: ListTree, count: "projectCount" },
  { label: "shell.datasets", to: "/datasets", icon: Database, count: "datasetCount" },
  { label: "shell.prompts", to: "/prompts", icon: MessageSquareText, count: "promptCount" },
  { label: "shell.settings", to: "/settings", icon: Settings, below: true },
];

const existing: ReadonlySet<string> = new Set(Object.values(addresses));

export const navigation = all.filter(({ to }) => existing.has(to));

/** True for every page below the item. */
export function isCurrent(path: string, { to }: NavigationItem): boolean {
  return path === to || path.startsWith(`${to}/`);
}
