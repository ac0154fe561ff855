// Annotates many rows of a list: the button in the bar of the selection, and its dialog.
import { Tag } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { Late, late } from "../../lib/late.tsx";
import { text } from "../../texts/texts.ts";
import type { BulkDialogProps } from "./BulkDialog.tsx";

const { Part: BulkDialog } = late(() => import("./BulkDialog.tsx"));

export function AnnotateButton(props: Omit<BulkDialogProps, "onClose">) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Tag />} onClick={() => setOpen(true)}>
        {text("bulk.annotate")}
      </Button>
      {open && (
        <Late keys="page">
          <BulkDialog {...props} onClose={() => setOpen(false)} />
        </Late>
      )}
    </>
  );
}
