// The mark: three spans of light on ink.
import styles from "./Mark.module.css";

export function Mark() {
  return (
    <svg viewBox="0 0 28 28" className={styles.mark} aria-hidden="true">
      <rect width="28" height="28" rx="8" />
      <path d="M6 8.2h9v2.6H6zM9 12.7h13v2.6H9zM13 17.2h6v2.6h-6z" />
    </svg>
  );
}
