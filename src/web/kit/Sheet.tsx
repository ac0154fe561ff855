// What lies over a narrow page from below: the details of what was tapped. It is the browser's own dialog: the focus stays inside,
// and the page behind is inert. It closes by its button, by Escape, by the back button, by a tap beside it, and by dragging its
// head down.
import { X } from "lucide-react";
import { type PointerEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { text } from "../texts/texts.ts";
import { IconButton } from "./Button.tsx";
import { Layer } from "./layer.ts";
import styles from "./Sheet.module.css";

/** Pixels that the head is dragged down before the sheet closes. */
const CLOSING_PX = 72;

interface SheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** In its head, in small letters: what it is about says its content. */
  readonly title: string;
  /** In its head, before the button that closes it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Sheet({ open, onClose, title, actions, children }: SheetProps) {
  // Known to what is inside as soon as it is there, hence no ref.
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  const heading = useId();
  useEffect(() => {
    if (element === null) return;
    if (open && !element.open) {
      element.showModal();
      // Not a button: a key that is still held down would press it.
      element.querySelector("h2")?.focus();
    }
    if (!open && element.open) element.close();
  }, [open, element]);
  // One that goes away while it is open closes first: only that gives the focus back.
  useLayoutEffect(() => () => element?.close(), [element]);
  useBackButton(open, onClose);
  const drag = useDrag(element, onClose);
  return (
    <dialog
      ref={setElement}
      className={styles.sheet}
      aria-labelledby={heading}
      // Also fires when `open` became false: then the page knows already.
      onClose={() => open && onClose()}
      // A tap beside the sheet lands on the dialog element itself, because its content fills it.
      onClick={(event) => {
        if (event.target === element) onClose();
      }}
    >
      {open && (
        <Layer value={element}>
          <header className={styles.head} {...drag}>
            <i className={styles.grip} aria-hidden="true" />
            <h2 id={heading} tabIndex={-1}>
              {title}
            </h2>
            {actions}
            <IconButton label={text("kit.close")} icon={<X />} onClick={onClose} />
          </header>
          {/* A region that scrolls must be reachable by keys. */}
          <section className={styles.body} aria-labelledby={heading} tabIndex={0}>
            {children}
          </section>
        </Layer>
      )}
    </dialog>
  );
}

/** While it is open, it has an entry of the history: going back closes it and stays on the page, at the address that it was opened
 *  with. `onClose` comes after that. */
function useBackButton(open: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  const leaving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (!open) return;
    clearTimeout(leaving.current);
    const { pathname } = location;
    let state: "waits" | "entered" | "left" = "waits";
    const onPop = () => {
      state = "left";
      close.current();
    };
    const enter = () => {
      if (state === "left") return;
      state = "entered";
      if (!hasEntry()) history.pushState({ sheet: true }, "");
      addEventListener("popstate", onPop);
    };
    // The entry of the sheet before this one may still be on its way out.
    if (goingBack === null) enter();
    else void goingBack.then(enter);
    return () => {
      removeEventListener("popstate", onPop);
      const isElsewhere = location.pathname !== pathname;
      const hadEntry = state === "entered";
      state = "left";
      // A link inside led elsewhere: the way back from there leads here.
      if (!hadEntry || isElsewhere) return;
      // Not at once: it may only be drawn again.
      leaving.current = setTimeout(() => goBack(pathname, location.href));
    };
  }, [open]);
}

let goingBack: Promise<void> | null = null;

/** The address stays what the page made of it meanwhile. */
function goBack(pathname: string, href: string): void {
  goingBack = new Promise((resolve) => {
    const onPop = () => {
      goingBack = null;
      keepAddress(pathname, href);
      resolve();
    };
    addEventListener("popstate", onPop, { once: true });
  });
  history.back();
}

/** After a reload the entry is there already. */
function hasEntry(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "sheet" in state;
}

function keepAddress(pathname: string, href: string): void {
  if (location.pathname === pathname && location.href !== href) history.replaceState(null, "", href);
}

function useDrag(element: HTMLDialogElement | null, onClose: () => void) {
  const begin = useRef<number | null>(null);
  const move = (by: number) => {
    if (element !== null) element.style.transform = by === 0 ? "" : `translateY(${by}px)`;
  };
  const draggedBy = (event: PointerEvent<HTMLElement>) => Math.max(0, event.clientY - (begin.current ?? event.clientY));
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || (event.target as Element).closest("button, a") !== null) return;
      begin.current = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (begin.current !== null) move(draggedBy(event));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (begin.current === null) return;
      const by = draggedBy(event);
      begin.current = null;
      move(0);
      if (by > CLOSING_PX) onClose();
    },
    onPointerCancel() {
      begin.current = null;
      move(0);
    },
  };
}
