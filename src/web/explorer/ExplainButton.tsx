// Asks what explains a selection: by the condition and range of the list, or by rows. What answers comes late.
import { Lightbulb } from "lucide-react";
import { withPart } from "../domain/filter/chips.ts";
import { Button } from "../kit/Button.tsx";
import { useAddress } from "../lib/address.ts";
import { Late, late } from "../lib/late.tsx";
import { text } from "../texts/texts.ts";
import type { ExplorerState } from "./use-explorer-state.ts";

const { Part: ExplanationDrawer } = late(() => import("../domain/explanation/ExplanationDrawer.tsx"));

interface ExplainButtonProps {
  readonly projectId: string;
  readonly of: "traces" | "spans";
  readonly state: ExplorerState;
  /** The selection, where it is not that of the list. */
  readonly condition?: string;
}

export function ExplainButton({ projectId, of, state, condition }: ExplainButtonProps) {
  const { get, set } = useAddress();
  const what = condition === undefined ? "list" : "rows";
  const close = () => set({ explain: null });
  return (
    <>
      <Button icon={<Lightbulb />} onClick={() => set({ explain: what })}>
        {text("explorer.explain")}
      </Button>
      {get("explain") === what && (
        <Late>
          <ExplanationDrawer
            {...{ projectId, of, onClose: close }}
            condition={condition ?? state.condition}
            range={state.range}
            onCondition={(part) => {
              close();
              state.setCondition(withPart(state.condition, part));
            }}
          />
        </Late>
      )}
    </>
  );
}
