// What the next version changes, read before it is saved.
import type { JsonObject } from "../../../../kernel/json.ts";
import type { PromptVersionContent } from "../../../domain/prompts/version-parts.ts";
import { Button } from "../../../kit/Button.tsx";
import { Dialog } from "../../../kit/Dialog.tsx";
import { Skeleton } from "../../../kit/States.tsx";
import { Late, late } from "../../../lib/late.tsx";
import { text } from "../../../texts/texts.ts";

const { Part: Compared } = late(async () => ({ default: (await import("../VersionComparison.tsx")).Compared }));

interface ChangesDialogProps {
  readonly before: PromptVersionContent;
  /** Null while something is wrong with it. */
  readonly after: JsonObject | null;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

export function ChangesDialog({ before, after, onSave, onClose }: ChangesDialogProps) {
  return (
    <Dialog
      open
      full
      title={text("prompts.editor.changes.title")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text("prompts.editor.changes.back")}</Button>
          <Button look="main" disabled={after === null} onClick={onSave}>
            {text("prompts.editor.save")}
          </Button>
        </>
      }
    >
      {after === null ? (
        <p>{text("prompts.editor.changes.wrong")}</p>
      ) : (
        <Late fallback={<Skeleton />}>
          <Compared
            before={before}
            after={after as unknown as PromptVersionContent}
            sides={{
              before: { name: text("prompts.editor.changes.before"), about: "" },
              after: { name: text("prompts.editor.changes.after"), about: "" },
            }}
          />
        </Late>
      )}
    </Dialog>
  );
}
