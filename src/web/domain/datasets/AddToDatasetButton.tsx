// Makes examples of spans, traces or sessions: the button in the bar of a selection or beside one of them, and its dialog. Nothing for
// those who may not change datasets.
import { ListPlus } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/Button.tsx";
import { Late, late } from "../../lib/late.tsx";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import type { AddToDatasetDialogProps } from "./addition/AddToDatasetDialog.tsx";

const { Part: AddToDatasetDialog } = late(() => import("./addition/AddToDatasetDialog.tsx"));

type Source = Omit<AddToDatasetDialogProps, "onClose">;

interface AddToDatasetButtonProps extends Source {
  /** Only the icon, with this label. */
  readonly label?: string;
  readonly small?: boolean;
}

export function AddToDatasetButton({ label, small = false, ...source }: AddToDatasetButtonProps) {
  const { open, dialog } = useAddToDataset(source);
  if (open === null) return null;
  return (
    <>
      {label === undefined ? (
        <Button icon={<ListPlus />} onClick={open}>
          {text("addition.add")}
        </Button>
      ) : (
        <IconButton small={small} label={label} icon={<ListPlus />} onClick={open} />
      )}
      {dialog}
    </>
  );
}

/** For menus: what opens the dialog, null for those who may not, and the dialog, which stands outside of the menu. */
export function useAddToDataset(source: Source) {
  const [isOpen, setOpen] = useState(false);
  const { mayWrite } = useRights();
  return {
    open: mayWrite ? () => setOpen(true) : null,
    dialog: isOpen && (
      <Late keys="page">
        <AddToDatasetDialog {...source} onClose={() => setOpen(false)} />
      </Late>
    ),
  };
}
