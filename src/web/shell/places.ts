// The places of the rail and of the menu: only those that exist. Settings stand apart, below.
import { ListTree, type LucideIcon, Settings } from "lucide-react";
import { addresses } from "../addresses.ts";
import type { LabelKey } from "../texts/texts.ts";

export interface Place {
  readonly label: LabelKey;
  readonly to: string;
  readonly icon: LucideIcon;
  /** Stands at the lower end of the rail. */
  readonly below?: boolean;
}

const all: readonly Place[] = [
  { label: "shell.projects", to: "/projects", icon: ListTree },
  { label: "shell.settings", to: "/settings", icon: Settings, below: true },
];

const existing: ReadonlySet<string> = new Set(Object.values(addresses));

export const places = all.filter(({ to }) => existing.has(to));

/** True for every page below the place. */
export function isAt(path: string, { to }: Place): boolean {
  return path === to || path.startsWith(`${to}/`);
}
