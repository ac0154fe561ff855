// A question in front of the page, and a panel that slides over it. Both are the browser's own dialog: the focus stays inside,
// Escape closes, the page behind is inert, and the focus returns to where it came from.
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useLayoutEffect, useState } from "react";
import { text } from "../texts/texts.ts";
import { IconButton } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./Dialog.module.css";
import { focusQuietly } from "./keep-focus.ts";
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
  /** Its fields are sent as a form; one of the actions is the submit button. */
  readonly onSubmit?: () => void;
  /** Without a head: the title is read aloud only, and Escape closes. */
  readonly bare?: boolean;
}

export function Dialog(props: DialogProps) {
  const { open, onClose, title, children, actions, wide = false, full = false, bare = false, firm = false } = props;
  const className = classes(styles.dialog, wide && styles.wide, full && styles.full);
  const content = (
    <>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
    </>
  );
  return (
    <Modal open={open} onClose={onClose} title={title} className={className} bare={bare} firm={firm}>
      {props.onSubmit === undefined ? content : <SentByKeys onSubmit={props.onSubmit}>{content}</SentByKeys>}
    </Modal>
  );
}

/** Enter in a field sends the form, and so does `mod+Enter` anywhere in it. */
function SentByKeys({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  return (
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
      {children}
    </form>
  );
}

/** From the right edge, as high as the window. */
export function Drawer({
  open,
  onClose,
  title,
  children,
}: Pick<DialogProps, "open" | "onClose" | "title" | "children">) {
  return (
    <Modal open={open} onClose={onClose} title={title} className={styles.drawer}>
      <div className={styles.body}>{children}</div>
    </Modal>
  );
}

interface ModalProps {
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

/** What every dialog is made of: a title, a way to close it, and the browser's own modality. */
function Modal({ open, onClose, title, className, bare = false, firm = false, children }: ModalProps) {
  // Known to what is inside as soon as it is there, hence no ref.
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  const heading = useId();
  useEffect(() => {
    if (element === null) return;
    if (open && !element.open) {
      // The browser begins at the button that closes.
      focusQuietly(() => element.showModal());
      const first = FIRST.map((selector) => element.querySelector<HTMLElement>(selector)).find(Boolean);
      first?.focus();
    }
    if (!open && element.open) element.close();
  }, [open, element]);
  // One that goes away while it is open closes first: only that gives the focus back.
  useLayoutEffect(() => () => element?.close(), [element]);
  return (
    // A click beside the dialog lands on the dialog element itself, because its content fills it. Keys close by Escape.
    <dialog
      ref={setElement}
      className={className}
      aria-labelledby={heading}
      // Escape asks to close, as the button does. A field for files that is left alone says the same word, which is not meant here.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // Also fires when `open` became false: then the page knows already.
      onClose={() => open && onClose()}
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
