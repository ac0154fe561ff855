// Keys as they are printed on a keyboard.
import styles from "./Kbd.module.css";
import { shownKey } from "./keys.ts";

export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className={styles.keys}>
      {keys.split(" ").map((key) => (
        <kbd key={key} className={styles.key}>
          {shownKey(key)}
        </kbd>
      ))}
    </span>
  );
}
