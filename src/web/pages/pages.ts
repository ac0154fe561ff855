// The component of every page, each a script of its own. Two addresses that share a component share its state too: a table stays
// where it is while a panel opens over it.
import type { ComponentType } from "react";
import { declaredPages, type PageName, type RedirectPage } from "../declared-pages.ts";
import { late } from "../lib/late.tsx";
import type { DeclaredPage } from "../page-declaration.ts";
import { DashboardRedirect } from "./DashboardRedirect.tsx";
import { HomePage } from "./HomePage.tsx";
import { ProjectRedirect } from "./ProjectRedirect.tsx";

type Load = NonNullable<DeclaredPage["load"]>;

/** In the first script: a redirect must not wait for one of its own. */
const redirects: Readonly<Record<RedirectPage, ComponentType>> = {
  home: HomePage,
  project: ProjectRedirect,
  dashboard: DashboardRedirect,
};
const loaded = new Map<Load, ReturnType<typeof late>>();

function lateOf(load: Load) {
  const known = loaded.get(load) ?? late(load);
  loaded.set(load, known);
  return known;
}

export function componentOf(name: PageName): ComponentType {
  const page = declaredPages[name];
  return "load" in page ? lateOf(page.load).Part : redirects[name as RedirectPage];
}

/** Begins to load a page before it is drawn. */
export async function preloadPage(name: PageName): Promise<void> {
  const { load }: DeclaredPage = declaredPages[name];
  if (load !== undefined) await lateOf(load).preload();
}
