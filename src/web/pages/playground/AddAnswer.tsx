// Makes an example of an answer, by its span.
import { ListPlus } from "lucide-react";
import { useState } from "react";
import type { AddToDatasetDialogProps } from "../../domain/datasets/addition/AddToDatasetDialog.tsx";
import { IconButton } from "../../kit/Button.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { failureOf } from "../../lib/failure.ts";
import { Late, late } from "../../lib/late.tsx";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { placeOfSpan } from "./span-place.ts";

const { Part: AddToDatasetDialog } = late<AddToDatasetDialogProps>(
  () => import("../../domain/datasets/addition/AddToDatasetDialog.tsx"),
);

export function AddAnswer({ spanKey }: { readonly spanKey: string }) {
  const [id, setId] = useState<string | null>(null);
  const { mayWrite } = useRights();
  if (!mayWrite) return null;
  const open = () =>
    placeOfSpan(spanKey).then(
      (place) => setId(place.id),
      (error: unknown) => showToast(failureOf(error).message, "error"),
    );
  return (
    <>
      <IconButton label={text("addition.add")} icon={<ListPlus />} onClick={() => void open()} />
      {id !== null && (
        <Late keys="page">
          <AddToDatasetDialog kind="span" ids={[id]} matching={null} onClose={() => setId(null)} />
        </Late>
      )}
    </>
  );
}
