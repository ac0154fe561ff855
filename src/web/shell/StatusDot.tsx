// Whether the server is there, in a dot, and in words where there is space for them. A click asks the server at once, or loads the
// page of its new build.
import { classes } from "../kit/classes.ts";
import { Tooltip } from "../kit/Tooltip.tsx";
import { text } from "../texts/texts.ts";
import { useShownConnection } from "./connection-text.ts";
import styles from "./StatusDot.module.css";

interface StatusDotProps {
  readonly withWords?: boolean;
  readonly side?: "right" | "bottom";
}

export function StatusDot({ withWords = false, side = "right" }: StatusDotProps) {
  const { state, label, explanation, action } = useShownConnection();
  const button = (
    <button
      type="button"
      data-state={state}
      aria-label={text("connection.label", { state: label })}
      className={classes(styles.status, withWords && styles.wide)}
      onClick={action.run}
    >
      <span className={classes(styles.dot, styles[state])} />
      {withWords && <span className={styles.word}>{label}</span>}
    </button>
  );
  return (
    <Tooltip text={explanation ?? label} side={side}>
      {button}
    </Tooltip>
  );
}
