// Which keys work here and now, and the switch that turns them off.
import { Dialog } from "../kit/Dialog.tsx";
import { Checkbox } from "../kit/Field.tsx";
import { Kbd } from "../kit/Kbd.tsx";
import { type Shortcut, useKeysEnabled, useShortcuts } from "../kit/keys.ts";
import { type LabelKey, text } from "../texts/texts.ts";
import styles from "./KeyHelp.module.css";

const always: readonly Pick<Shortcut, "keys" | "label" | "group">[] = [
  { keys: "Escape", label: "keys.close", group: "keys.anywhere" },
  { keys: "Enter", label: "keys.open", group: "keys.list" },
];

export function KeyHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const registered = useShortcuts();
  const [enabled, setEnabled] = useKeysEnabled();
  const hasList = registered.some(({ group }) => group === "keys.list");
  const lines = [...registered, ...always.filter(({ group }) => group !== "keys.list" || hasList)];
  // The same key registered twice does what the last one says.
  const unique = new Map(lines.map((line) => [`${line.group} ${line.keys}`, line]));
  const groups = Map.groupBy(unique.values(), ({ group }) => group);
  return (
    <Dialog open={open} onClose={onClose} title={text("keys.title")}>
      {[...groups].map(([group, shortcuts]) => (
        <Group key={group} group={group} shortcuts={shortcuts} />
      ))}
      <Checkbox
        label={text("keys.enabled")}
        hint={text("keys.enabled.hint")}
        checked={enabled}
        onChange={(checked) => setEnabled(checked)}
      />
    </Dialog>
  );
}

interface GroupProps {
  readonly group: LabelKey;
  readonly shortcuts: readonly Pick<Shortcut, "keys" | "label">[];
}

function Group({ group, shortcuts }: GroupProps) {
  return (
    <section>
      <h3 className={styles.heading}>{text(group)}</h3>
      <dl>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className={styles.line}>
            <dt>{text(label)}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
