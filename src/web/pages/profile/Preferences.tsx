// What this browser remembers: theme, time zone, keys.
import { useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { Checkbox, Segmented } from "../../kit/Field.tsx";
import { useKeysEnabled } from "../../kit/keys.ts";
import { usePreference } from "../../lib/preferences.ts";
import { chooseTheme, chosenTheme, themes } from "../../lib/theme.ts";
import { timeZonePreference } from "../../lib/time-zone.ts";
import { openShellDialog } from "../../shell/dialogs.ts";
import { text } from "../../texts/texts.ts";
import styles from "./profile.module.css";

const themeChoices = themes.map((value) => ({ value, label: text(`shell.theme.${value}`) }));

export function Preferences() {
  const [theme, setTheme] = useState(chosenTheme);
  const [zone] = usePreference(timeZonePreference);
  const [keys, setKeys] = useKeysEnabled();
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zoneText =
    zone === "local"
      ? text("shell.zone.local", { name: local })
      : zone === "utc"
        ? text("shell.zone.utc")
        : zone.replaceAll("_", " ");
  return (
    <>
      <div className={styles.setting}>
        <span className={styles.label}>{text("shell.theme")}</span>
        <Segmented
          label={text("shell.theme")}
          value={theme}
          choices={themeChoices}
          onChange={(chosen) => {
            setTheme(chosen);
            chooseTheme(chosen);
          }}
        />
      </div>
      <div className={styles.setting}>
        <span className={styles.label}>{text("shell.zone")}</span>
        <Button onClick={() => openShellDialog("zone")}>{zoneText}</Button>
      </div>
      <Checkbox label={text("keys.enabled")} hint={text("keys.enabled.hint")} checked={keys} onChange={setKeys} />
    </>
  );
}
