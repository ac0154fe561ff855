// What the menu of a cell offers in a list: to copy its value, and to ask for it or leave it out.
import { Ban, Copy, Filter } from "lucide-react";
import { showToast } from "../kit/Toast.tsx";
import type { CellAction } from "../kit/table/DataTable.tsx";
import { text } from "../texts/texts.ts";
import type { Facet } from "./facets.ts";
import type { ExplorerState } from "./use-explorer-state.ts";

export interface CellValue {
  /** As it is copied. */
  readonly value: string;
  /** How the condition speaks of it; undefined where it cannot. */
  readonly facet?: Facet;
}

export function cellActions(
  { condition, setCondition }: Pick<ExplorerState, "condition" | "setCondition">,
  { value, facet }: CellValue,
): readonly CellAction[] {
  const copy = {
    label: text("explorer.cell.copy"),
    icon: <Copy />,
    run: () =>
      void navigator.clipboard.writeText(value).then(
        () => showToast(text("trace.copied")),
        () => showToast(text("trace.copy.failed"), "error"),
      ),
  };
  if (facet === undefined) return [copy];
  return [
    copy,
    {
      label: text("explorer.cell.include"),
      icon: <Filter />,
      run: () => setCondition(facet.toggle(condition, value, "included")),
    },
    {
      label: text("explorer.cell.exclude"),
      icon: <Ban />,
      run: () => setCondition(facet.toggle(condition, value, "excluded")),
    },
  ];
}
