// Begins an upload of a file, to a new dataset or to one that is there. Nothing for those who may not change datasets.
import { FileUp } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Late, late } from "../../../lib/late.tsx";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import type { UploadDialogProps } from "./UploadDialog.tsx";

const { Part: UploadDialog } = late(() => import("./UploadDialog.tsx"));

export function UploadButton(props: Pick<UploadDialogProps, "dataset">) {
  const { mayWrite } = useRights();
  const [open, setOpen] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      <Button icon={<FileUp />} onClick={() => setOpen(true)}>
        {text(props.dataset === undefined ? "upload.new" : "upload.add")}
      </Button>
      {open && (
        <Late keys="page">
          <UploadDialog {...props} onClose={() => setOpen(false)} />
        </Late>
      )}
    </>
  );
}
