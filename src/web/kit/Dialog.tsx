// A question in front of the page, and a panel that slides over it. Both are the browser's own dialog: the focus stays inside,
// Escape closes, the page behind is inert, and the focus returns to where it came from.
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { text } from "../texts/texts.ts";
import { IconButton } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./Dialog.module.css";
import { Layer } from "./layer.ts";

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons; the main one last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** A click beside it does not close it: what it holds would be lost. */
  readonly firm?: boolean;
  /** Nearly the whole window, for reading. */
  readonly full?: boolean;
  /** Without a head: the title is read aloud only, and Escape closes. */
  readonly bare?: boolean;
}

export function Dialog(props: DialogProps) {
  const { open, onClose, title, children, actions, wide = false, full = false, bare = false, firm = false } = props;
  const className = classes(styles.dialog, wide && styles.wide, full && styles.full);
  return (
    <Native open={open} onClose={onClose} title={title} className={className} bare={bare} firm={firm}>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
    </Native>
  );
}

interface FormDialogProps extends Omit<DialogProps, "bare" | "full"> {
  readonly onSubmit: () => void;
}

/** A dialog whose fields are sent with Enter or `mod+Enter`. */
export function FormDialog(props: FormDialogProps) {
  const { open, onClose, title, children, actions, wide = false, firm = false, onSubmit } = props;
  const className = classes(styles.dialog, wide && styles.wide);
  return (
    <Native open={open} onClose={onClose} title={title} className={className} firm={firm}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            onSubmit();
          }
        }}
      >
        <div className={styles.body}>{children}</div>
        <footer className={styles.actions}>{actions}</footer>
      </form>
    </Native>
  );
}

/** From the right edge, as high as the window. */
export function Drawer({
  open,
  onClose,
  title,
  children,
}: Omit<DialogProps, "actions" | "wide" | "full" | "bare" | "firm">) {
  return (
    <Native open={open} onClose={onClose} title={title} className={styles.drawer}>
      <div className={styles.body}>{children}</div>
    </Native>
  );
}

interface NativeProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly className: string | undefined;
  readonly bare?: boolean;
  readonly firm?: boolean;
  readonly children: ReactNode;
}

/** Where typing begins: the first field, else the first button below (the one that changes nothing). */
const FIRST = [`.${styles.body} :is(input, textarea, select):not([hidden])`, `.${styles.actions} button`];

function Native({ open, onClose, title, className, bare = false, firm = false, children }: NativeProps) {
  // Known to what is inside as soon as it is there, hence no ref.
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  const heading = useId();
  useEffect(() => {
    if (element === null) return;
    if (open && !element.open) {
      element.showModal();
      const first = FIRST.map((selector) => element.querySelector<HTMLElement>(selector)).find(Boolean);
      first?.focus();
    }
    if (!open && element.open) element.close();
  }, [open, element]);
  return (
    // A click beside the dialog lands on the dialog element itself, because its content fills it. Keys close by Escape.
    <dialog
      ref={setElement}
      className={className}
      aria-labelledby={heading}
      onClose={onClose}
      onMouseDown={(event) => {
        if (event.target === element && !firm) onClose();
      }}
    >
      {open && (
        <Layer value={element}>
          <header className={bare ? "visually-hidden" : styles.head}>
            <h2 id={heading}>{title}</h2>
            {!bare && <IconButton label={text("kit.close")} icon={<X />} onClick={onClose} />}
          </header>
          {children}
        </Layer>
      )}
    </dialog>
  );
}
