// An author: the first letters of a name, or an icon. No pictures: they would be asked of foreign hosts.
import type { ReactNode } from "react";
import styles from "./Avatar.module.css";

interface AvatarProps {
  /** Read aloud, and shown by the pointer. */
  readonly name: string;
  /** Instead of letters, for what is no person. */
  readonly icon?: ReactNode;
}

export function Avatar({ name, icon }: AvatarProps) {
  return (
    <span role="img" aria-label={name} title={name} className={styles.avatar}>
      {icon ?? <span aria-hidden="true">{[...name.trim()].slice(0, 2).join("").toUpperCase()}</span>}
    </span>
  );
}
