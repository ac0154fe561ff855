// A question before something is done that cannot be undone. The focus begins on the button that changes nothing.
import type { ReactNode } from "react";
import type { Changes } from "../../lib/entities.ts";
import { text } from "../../texts/texts.ts";
import { Button } from "../Button.tsx";
import { Dialog } from "../Dialog.tsx";
import { Notice } from "../States.tsx";
import { showToast } from "../Toast.tsx";
import { useForm } from "./use-form.ts";

interface ConfirmDialogProps {
  readonly open?: boolean;
  readonly title: string;
  /** Of the button that does it. */
  readonly confirm: string;
  /** Throws a PageFailure when it is refused. */
  readonly send: () => Promise<unknown>;
  /** Whatever shows it is asked again. */
  readonly changes: Changes;
  /** The message when it is done; null where the page is left. */
  readonly done: string | null;
  /** Goes elsewhere, and the like. */
  readonly onDone?: (() => void) | undefined;
  readonly onClose: () => void;
  /** What will be gone. */
  readonly children: ReactNode;
}

export function ConfirmDialog({ open = true, title, confirm, children, ...props }: ConfirmDialogProps) {
  const { send, changes, done, onDone, onClose } = props;
  const form = useForm(
    {},
    {
      send,
      changes,
      done() {
        if (done !== null) showToast(done);
        onDone?.();
      },
      onClose,
    },
  );
  return (
    <Dialog
      open={open}
      onClose={form.close}
      title={title}
      actions={
        <>
          <Button onClick={form.close}>{text("kit.cancel")}</Button>
          {/* While it is sent, it keeps the focus. */}
          <Button look="danger" aria-disabled={form.pending} onClick={form.submit}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {form.refusal !== null && <Notice tone="error">{form.refusal}</Notice>}
    </Dialog>
  );
}
