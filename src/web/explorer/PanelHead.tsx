// The head of a panel in one line: what is open, its figures, its controls. Where there is no space the figures go below.
import type { ReactNode } from "react";
import { Time } from "../kit/Time.tsx";
import styles from "./PanelHead.module.css";

interface PanelHeadProps {
  /** What sort of thing it is, and when it began. */
  readonly sort: string;
  readonly startTime: string;
  readonly name: string;
  /** Before the name. */
  readonly mark?: ReactNode;
  /** Right behind the name. */
  readonly beside?: ReactNode;
  /** `Stat`s. */
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

export function PanelHead({ sort, startTime, name, mark, beside, children, actions }: PanelHeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        {mark}
        <h2 title={`${sort}: ${name}`}>
          <bdi>{name}</bdi>
        </h2>
        {beside}
      </div>
      <div className={styles.figures}>
        {children}
        <span className={styles.time}>
          <Time at={startTime} />
        </span>
      </div>
      <div className={styles.actions}>{actions}</div>
    </header>
  );
}

interface ErrorsButtonProps {
  readonly title: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Their number, which leads to the next of them. */
export function ErrorsButton({ title, onClick, children }: ErrorsButtonProps) {
  return (
    <button type="button" className={styles.errors} title={title} onClick={onClick}>
      {children}
    </button>
  );
}

/** An id of the sender, cut where it is long. */
export function UserName({ id }: { readonly id: string }) {
  return <bdi className={styles.user}>{id}</bdi>;
}
