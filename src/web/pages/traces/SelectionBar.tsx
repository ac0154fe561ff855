// The bar of a selection in a list: how many, their ids, their file, and what else can be done with them.
import { Copy, Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { SelectionToolbar } from "../../explorer/SelectionToolbar.tsx";
import { Button } from "../../kit/Button.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { text } from "../../texts/texts.ts";

interface SelectionBarProps {
  /** External ids, one a selected row. */
  readonly ids: readonly string[];
  /** The message when the file is there. */
  readonly downloaded: string;
  /** Null when the file is there. */
  readonly download: () => Promise<{ readonly message: string } | null>;
  /** The selection is dealt with. */
  readonly onDone: () => void;
  /** Buttons of changes, and their dialogs. */
  readonly children: ReactNode;
}

export function SelectionBar({ ids, downloaded, download, onDone, children }: SelectionBarProps) {
  const [downloading, setDownloading] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(ids.join("\n"));
    showToast(text("trace.copied"));
  };
  const save = async () => {
    setDownloading(true);
    const failure = await download();
    setDownloading(false);
    if (failure === null) showToast(downloaded);
    else showToast(text("traces.download.failed", { reason: failure.message }), "error");
  };
  return (
    <SelectionToolbar count={ids.length} onDone={onDone}>
      <Button icon={<Copy />} onClick={() => void copy()}>
        {text("traces.copy")}
      </Button>
      <Button icon={<Download />} disabled={downloading} onClick={() => void save()}>
        {text("traces.download")}
      </Button>
      {children}
    </SelectionToolbar>
  );
}
