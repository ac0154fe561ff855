// Tabs that are addresses (`TabLinks`), and tabs inside a panel (`Tabs`).
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useShortcut } from "./keys.ts";
import styles from "./Tabs.module.css";

interface TabLinksProps {
  readonly label: string;
  readonly tabs: readonly { readonly to: string; readonly label: ReactNode; readonly current: boolean }[];
  /** Behind the tabs, about the current one. */
  readonly children?: ReactNode;
}

export function TabLinks({ label, tabs, children }: TabLinksProps) {
  const [, navigate] = useLocation();
  const step = (by: number) => {
    const at = tabs.findIndex(({ current }) => current);
    const next = tabs[at + by];
    if (next !== undefined) navigate(next.to);
  };
  const group = "keys.anywhere" as const;
  useShortcut({ keys: "[", label: "keys.tab.previous", group, run: () => step(-1) });
  useShortcut({ keys: "]", label: "keys.tab.next", group, run: () => step(1) });
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ to, label: name, current }) => (
        <Link key={to} href={to} className={styles.tab} {...(current ? { "aria-current": "page" as const } : {})}>
          {name}
        </Link>
      ))}
      {children}
    </nav>
  );
}

interface TabsProps<Key extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly key: Key; readonly label: ReactNode }[];
  readonly current: Key;
  readonly onChange: (key: Key) => void;
  /** The content of the current tab. */
  readonly children: ReactNode;
}

export function Tabs<Key extends string>({ label, tabs, current, onChange, children }: TabsProps<Key>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ key }) => key === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next.key);
    list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKeyDown}>
        {tabs.map(({ key, label: name }) => (
          <button
            key={key}
            type="button"
            role="tab"
            data-key={key}
            id={`${id}-${key}`}
            aria-selected={key === current}
            aria-controls={`${id}-panel`}
            tabIndex={key === current ? 0 : -1}
            className={styles.tab}
            onClick={() => onChange(key)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} className={styles.panel}>
        {children}
      </div>
    </>
  );
}
