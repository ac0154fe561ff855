// Short notes about what was done, at the lower edge. A failure stays until it is dismissed.
import { X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { text } from "../texts/texts.ts";
import { IconButton } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./Toast.module.css";

interface Toast {
  readonly id: number;
  readonly tone: "plain" | "error";
  readonly message: string;
  readonly link: ToastLink | undefined;
}

/** Where what was done is seen. */
interface ToastLink {
  readonly to: string;
  readonly label: string;
}

const SHOWN_MS = 5_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function showToast(message: string, tone: Toast["tone"] = "plain", link?: ToastLink): void {
  lastId += 1;
  change([...toasts.slice(-2), { id: lastId, tone, message, link }]);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Once, by the shell. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const stack = useRef<HTMLDivElement>(null);
  // What was opened last lies on top: a toast must not hide below a dialog.
  useEffect(() => {
    stack.current?.hidePopover();
    if (shown.length > 0) stack.current?.showPopover();
  }, [shown]);
  return (
    <div ref={stack} popover="manual" className={styles.stack} role="status" aria-live="polite">
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast: { id, tone, message, link } }: { readonly toast: Toast }) {
  useEffect(() => {
    if (tone === "error") return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, tone]);
  return (
    <div className={classes(styles.toast, tone === "error" && styles.error)}>
      <p>{message}</p>
      {link !== undefined && (
        <Link href={link.to} className={styles.link} onClick={() => dismiss(id)}>
          {link.label}
        </Link>
      )}
      <IconButton small label={text("kit.dismiss")} icon={<X />} onClick={() => dismiss(id)} />
    </div>
  );
}
