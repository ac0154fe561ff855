// The layout of the public pages: the mark, a heading and one form, in the middle of the window.
import { type ReactNode, useEffect } from "react";
import { PlainForm } from "../../kit/form/PlainForm.tsx";
import { Mark } from "../../shell/Mark.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./SignInCard.module.css";

interface SignInCardProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Below the card: the way to another page. */
  readonly below?: ReactNode;
}

export function SignInCard({ title, children, below }: SignInCardProps) {
  useEffect(() => {
    document.title = `${title} · ${text("shell.product")}`;
  }, [title]);
  return (
    <main id="content" tabIndex={-1} className={styles.page}>
      <div className={styles.column}>
        <div className={styles.head}>
          <Mark />
          <h1 className={styles.title}>{title}</h1>
        </div>
        <div className={styles.card}>{children}</div>
        {below !== undefined && <div className={styles.below}>{below}</div>}
      </div>
    </main>
  );
}

interface CardFormProps {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** The look of a form in the card. */
export const cardForm = styles.form;

export function CardForm({ onSubmit, children }: CardFormProps) {
  return (
    <PlainForm className={cardForm} onSubmit={onSubmit}>
      {children}
    </PlainForm>
  );
}

type Tone = "plain" | "error" | "ok";

/** What happened before, or what went wrong. */
export function CardMessage({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <p role={tone === "error" ? "alert" : "status"} className={`${styles.message} ${styles[tone]}`}>
      {children}
    </p>
  );
}

/** Between two ways of signing in. */
export function CardDivider({ children }: { readonly children: ReactNode }) {
  return <p className={styles.divider}>{children}</p>;
}

export function CardText({ children }: { readonly children: ReactNode }) {
  return <p className={styles.text}>{children}</p>;
}
