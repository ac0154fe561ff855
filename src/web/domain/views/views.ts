// Saved views as addresses: where one leads, and which one an address shows. The one that was opened stays in the address, so that
// it is still known when its filters have been changed.
import type { ViewTab } from "../../../model/saved-view.ts";
import { viewQuery } from "../../../modules/tracing/views/view-address.rules.ts";
import { linkTo } from "../../lib/links.ts";
import type { SavedView } from "./views.queries.ts";

/** The parameter that names the opened view. */
export const OPENED_VIEW = "view";

export function linkToView(projectId: string, { id, tab, query }: Pick<SavedView, "id" | "tab" | "query">): string {
  const parameters = new URLSearchParams(query);
  parameters.set(OPENED_VIEW, id);
  return `${linkTo(tab, { projectId })}?${parameters}`;
}

export interface ShownView {
  readonly view: SavedView;
  /** The address asks for something else than the view. */
  readonly changed: boolean;
}

/** What an address shows: the opened view, else one that asks for the same. */
export function shownView(views: readonly SavedView[], tab: ViewTab, address: URLSearchParams): ShownView | null {
  const here = views.filter((view) => view.tab === tab);
  const query = viewQuery(address);
  const opened = here.find(({ id }) => id === address.get(OPENED_VIEW));
  const view = opened?.query === query ? opened : (here.find((each) => each.query === query) ?? opened);
  return view === undefined ? null : { view, changed: view.query !== query };
}
