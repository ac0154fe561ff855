// Switches live mode: queries that take part ask again every two seconds.
import { Button } from "../kit/Button.tsx";
import { classes } from "../kit/classes.ts";
import { useNarrow } from "../kit/media.ts";
import { isAway, useConnection } from "../lib/connection.ts";
import { livePreference } from "../lib/live.ts";
import { usePreference } from "../lib/preferences.ts";
import { text } from "../texts/texts.ts";
import styles from "./LiveButton.module.css";

export function LiveButton() {
  const [live, setLive] = usePreference(livePreference);
  const away = isAway(useConnection());
  const narrow = useNarrow();
  return (
    <Button
      pressed={live}
      aria-label={text("shell.live")}
      title={text(live && away ? "shell.live.away" : "shell.live.hint")}
      icon={<span className={classes(styles.dot, live && (away ? styles.away : styles.on))} />}
      onClick={() => setLive(!live)}
    >
      {narrow ? undefined : text("shell.live")}
    </Button>
  );
}
