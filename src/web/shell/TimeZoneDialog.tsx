// Any time zone that the browser knows.
import { Button } from "../kit/Button.tsx";
import { Dialog } from "../kit/Dialog.tsx";
import { Select } from "../kit/Field.tsx";
import { formatInstant } from "../lib/format.ts";
import { usePreference } from "../lib/preferences.ts";
import { timeZonePreference } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";

export function TimeZoneDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [zone, setZone] = usePreference(timeZonePreference);
  const choices = [
    { value: "local", label: text("shell.zone.local", { name: Intl.DateTimeFormat().resolvedOptions().timeZone }) },
    { value: "utc", label: text("shell.zone.utc") },
    ...Intl.supportedValuesOf("timeZone").map((name) => ({ value: name, label: name.replaceAll("_", " ") })),
  ];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={text("shell.zone")}
      actions={<Button onClick={onClose}>{text("kit.close")}</Button>}
    >
      <Select
        label={text("shell.zone.choose")}
        hint={text("shell.zone.now", { time: formatInstant(new Date().toISOString(), zone) })}
        value={zone}
        choices={choices}
        onChange={setZone}
      />
    </Dialog>
  );
}
