// Everything that was sent: as a tree, and flat with search.
import { Search } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import type { JsonObject } from "../../../../../kernel/json.ts";
import { flatValues, searchFlat } from "../../../../domain/trace/payload/flat.ts";
import { TextField } from "../../../../kit/Field.tsx";
import { JsonView } from "../../../../kit/JsonView.tsx";
import { text } from "../../../../texts/texts.ts";
import styles from "./bodies.module.css";

/** Rows of the flat list that are drawn. */
const MOST_ROWS = 500;

export function Attributes({ attributes }: { readonly attributes: JsonObject }) {
  return (
    <div className={styles.padded}>
      <JsonView value={attributes} />
    </div>
  );
}

export function FlatAttributes({ attributes }: { readonly attributes: JsonObject }) {
  const [words, setWords] = useState("");
  const wanted = useDeferredValue(words);
  const all = useMemo(() => flatValues(attributes), [attributes]);
  const found = useMemo(() => searchFlat(all, wanted), [all, wanted]);
  return (
    <div className={styles.padded}>
      <TextField
        label={text("span.attributes.search")}
        labelHidden
        type="search"
        icon={<Search />}
        placeholder={text("span.attributes.search")}
        value={words}
        onChange={setWords}
      />
      {found.length === 0 ? (
        <p className={styles.faint}>{text("span.attributes.none")}</p>
      ) : (
        <dl className={styles.pairs}>
          {found.slice(0, MOST_ROWS).map(({ key, value, place }) => (
            <div key={JSON.stringify(place)}>
              <dt>{key}</dt>
              <dd>
                <JsonView value={value} open={0} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {found.length > MOST_ROWS && <p className={styles.faint}>{text("span.attributes.many", { count: MOST_ROWS })}</p>}
    </div>
  );
}
