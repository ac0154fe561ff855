// A page of settings: sections below each other, each with its name and purpose beside what it holds.
import type { ReactNode } from "react";
import styles from "./Section.module.css";

export function Sections({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.scroller}>
      <div className={styles.sections}>{children}</div>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

export function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <header>
        <h2 className={styles.title}>{title}</h2>
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      </header>
      <div className={styles.content}>{children}</div>
    </section>
  );
}

interface FactsProps {
  /** What is null is left out. */
  readonly facts: readonly { readonly label: string; readonly value: ReactNode }[];
}

/** Labels beside their values. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(({ value }) => value !== null)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
