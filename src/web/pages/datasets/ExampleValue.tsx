// A part of an example to read: each text by its name and as Markdown where it is written so, everything else as JSON. HTML is
// shown as text, and nothing is loaded from another server.
import { isJsonObject, isRawNumber, type Json } from "../../../kernel/json.ts";
import { LongText } from "../../domain/trace/content/LongText.tsx";
import { JsonView } from "../../kit/JsonView.tsx";
import styles from "./DatasetPage.module.css";

/** With more members, JSON that folds is easier to read. */
const MOST_MEMBERS = 20;

export function ExampleValue({ value }: { readonly value: Json }) {
  if (typeof value === "string") return <Text value={value} />;
  if (!isJsonObject(value) || isRawNumber(value)) return <JsonView value={value} />;
  const members = Object.entries(value);
  if (members.length === 0 || members.length > MOST_MEMBERS) return <JsonView value={value} />;
  return (
    <dl className={styles.members}>
      {members.map(([name, member]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof member === "string" ? <Text value={member} /> : <JsonView value={member} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function Text({ value }: { readonly value: string }) {
  return <LongText formatted excerpt={{ text: value, place: null, wholeBytes: null }} />;
}
