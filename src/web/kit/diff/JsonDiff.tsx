// Two JSON values compared by their keys: a row for every value that differs. Texts are compared by their words.
import { useMemo } from "react";
import type { Json } from "../../../kernel/json.ts";
import { NOTHING } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import { JsonView } from "../JsonView.tsx";
import styles from "./Diff.module.css";
import { type JsonChange, jsonChanges } from "./json-changes.ts";
import { TextDiff } from "./TextDiff.tsx";

interface JsonDiffProps {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** What the columns are called. */
  readonly names: { readonly key: string; readonly before: string; readonly after: string };
  /** Instead of the table when nothing differs. */
  readonly same: string;
}

export function JsonDiff({ before, after, names, same }: JsonDiffProps) {
  const changes = useMemo(() => jsonChanges(before, after), [before, after]);
  if (changes.length === 0) return <p>{same}</p>;
  return (
    <div className={styles.keys}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{names.key}</th>
            <th>{names.before}</th>
            <th>{names.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path}>
              <th scope="row" className={styles.key}>
                {change.path === "" ? text("kit.diff.whole") : change.path}
              </th>
              <td>
                <Side change={change} show="before" />
              </td>
              <td>
                <Side change={change} show="after" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Side({ change, show }: { readonly change: JsonChange; readonly show: "before" | "after" }) {
  const { before, after } = change;
  if (typeof before === "string" && typeof after === "string") {
    return (
      <p className={styles.text}>
        <TextDiff before={before} after={after} show={show} />
      </p>
    );
  }
  const value = change[show];
  return value === undefined ? NOTHING : <JsonView value={value} />;
}
