// The navigation of the sidebar and of the menu, as the pages declare it; their icons are here.
import { Database, ListTree, type LucideIcon, MessageSquareText, Settings, SquareTerminal } from "lucide-react";
import { addresses, declaredPages, type SidebarPage, sidebarPages } from "../declared-pages.ts";
import type { SidebarPlace } from "../page-declaration.ts";
import { type LabelKey, text } from "../texts/texts.ts";

const icons: Readonly<Record<SidebarPage, LucideIcon>> = {
  projects: ListTree,
  datasets: Database,
  prompts: MessageSquareText,
  playground: SquareTerminal,
  settings: Settings,
};

export interface NavigationItem extends SidebarPlace {
  readonly label: LabelKey;
  readonly to: string;
  readonly icon: LucideIcon;
}

export const navigation: readonly NavigationItem[] = sidebarPages.map((name) => ({
  ...declaredPages[name].sidebar,
  to: addresses[name],
  icon: icons[name],
}));

/** True for every page below the item. */
export function isCurrent(path: string, { to }: NavigationItem): boolean {
  return path === to || path.startsWith(`${to}/`);
}

/** The first part of the trail of every page below a page of the sidebar. */
export function trailPart(name: SidebarPage): { readonly label: string; readonly to: string } {
  return { label: text(declaredPages[name].sidebar.label), to: addresses[name] };
}
