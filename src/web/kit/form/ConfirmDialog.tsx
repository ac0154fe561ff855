// A question before something is done that cannot be undone. The focus begins on the button that changes nothing.
import type { ReactNode } from "react";
import { text } from "../../texts/texts.ts";
import { Button } from "../Button.tsx";
import { Dialog } from "../Dialog.tsx";
import { Notice } from "../States.tsx";
import type { Form } from "./use-form.ts";

interface ConfirmDialogProps {
  readonly open: boolean;
  /** Of `useForm({}, …)`. */
  readonly form: Pick<Form<unknown>, "submit" | "close" | "pending" | "refusal">;
  readonly title: string;
  /** Of the button that does it. */
  readonly confirm: string;
  readonly children: ReactNode;
}

export function ConfirmDialog({ open, form, title, confirm, children }: ConfirmDialogProps) {
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
