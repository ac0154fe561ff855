// A form in a dialog: fields, a way back, and the one button that sends them. Enter sends, and so does `mod+Enter`.
import type { ReactNode } from "react";
import { text } from "../../texts/texts.ts";
import { Button } from "../Button.tsx";
import { Dialog } from "../Dialog.tsx";
import { Notice } from "../States.tsx";
import type { Form } from "./use-form.ts";

interface FormDialogProps {
  readonly open: boolean;
  // The values do not matter here, only how they are sent.
  readonly form: Pick<Form<unknown>, "submit" | "close" | "pending" | "refusal">;
  readonly title: string;
  /** Of the button that sends. */
  readonly submit: string;
  /** What is sent cannot be undone. */
  readonly danger?: boolean;
  /** Nothing can be sent yet. */
  readonly disabled?: boolean;
  /** What went wrong beside the form, e.g. while it was counted what it concerns. */
  readonly problem?: string | null | undefined;
  /** Instead of the button that closes. */
  readonly leave?: ReactNode;
  /** A click beside it does not close it. */
  readonly firm?: boolean;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const {
    open,
    form,
    title,
    submit,
    danger = false,
    disabled = false,
    leave,
    firm = false,
    wide = false,
    children,
  } = props;
  const problem = form.refusal ?? props.problem;
  return (
    <Dialog
      open={open}
      onClose={form.close}
      title={title}
      firm={firm}
      wide={wide}
      onSubmit={() => {
        if (!disabled) form.submit();
      }}
      actions={
        <>
          {leave ?? <Button onClick={form.close}>{text("kit.cancel")}</Button>}
          {/* While it is sent, it keeps the focus. */}
          <Button
            type="submit"
            look={danger ? "danger" : "main"}
            disabled={disabled}
            aria-disabled={disabled || form.pending}
          >
            {submit}
          </Button>
        </>
      }
    >
      {problem && <Notice tone="error">{problem}</Notice>}
      {children}
    </Dialog>
  );
}
