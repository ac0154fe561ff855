// Something to paste: its place, the text, and a button that copies it.
import { CopyButton } from "../../kit/CopyButton.tsx";
import styles from "./Onboarding.module.css";

export function CodeBox({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    <section className={styles.snippet} aria-label={label}>
      <header>
        <span>{label}</span>
        <CopyButton value={code} />
      </header>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </section>
  );
}
