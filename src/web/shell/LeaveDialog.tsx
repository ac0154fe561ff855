// Asked before what is written and not saved is lost.
import { Button } from "../kit/Button.tsx";
import { Dialog } from "../kit/Dialog.tsx";
import { useLeaving } from "../lib/unsaved.ts";
import { text } from "../texts/texts.ts";

export function LeaveDialog() {
  const leaving = useLeaving();
  if (leaving === null) return null;
  return (
    <Dialog
      open
      onClose={leaving.stay}
      title={text("editor.leave.title")}
      actions={
        <>
          <Button onClick={leaving.stay}>{text("editor.leave.stay")}</Button>
          <Button look="danger" onClick={leaving.goOn}>
            {text("editor.leave.go")}
          </Button>
        </>
      }
    >
      <p>{text("editor.leave.text")}</p>
    </Dialog>
  );
}
