// What can be done with the selected examples.
import { Split, Trash2 } from "lucide-react";
import { useState } from "react";
import { SelectionToolbar } from "../../../explorer/SelectionToolbar.tsx";
import { Button } from "../../../kit/Button.tsx";
import { text } from "../../../texts/texts.ts";
import DeleteExamplesDialog from "./DeleteExamplesDialog.tsx";
import SplitsDialog from "./SplitsDialog.tsx";
import type { SplitMember } from "./split-changes.ts";

interface ExampleSelectionBarProps {
  readonly examples: readonly SplitMember[];
  /** Nothing can be removed from an old version. */
  readonly newest: boolean;
  readonly onDone: () => void;
}

export default function ExampleSelectionBar({ examples, newest, onDone }: ExampleSelectionBarProps) {
  const [asked, setAsked] = useState<"splits" | "delete" | null>(null);
  const close = () => setAsked(null);
  return (
    <SelectionToolbar count={examples.length} onDone={onDone}>
      <Button icon={<Split />} onClick={() => setAsked("splits")}>
        {text("datasets.splits")}
      </Button>
      {newest && (
        <Button look="danger" icon={<Trash2 />} onClick={() => setAsked("delete")}>
          {text("datasets.delete")}
        </Button>
      )}
      {asked === "splits" && <SplitsDialog examples={examples} onClose={close} />}
      {asked === "delete" && (
        <DeleteExamplesDialog exampleIds={examples.map(({ id }) => id)} onDone={onDone} onClose={close} />
      )}
    </SelectionToolbar>
  );
}
