// JSON to read: folded below the second level, keys in one ink and values in another, long lists and texts in parts. What is
// folded is not drawn, so that a payload of megabytes opens at once.
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatBytes } from "../lib/format.ts";
import { text } from "../texts/texts.ts";
import styles from "./JsonView.module.css";

const OPEN_LEVELS = 2;
const ITEMS_AT_ONCE = 100;
const TEXT_AT_ONCE = 2_000;

export function JsonView({ value, open = OPEN_LEVELS }: { readonly value: unknown; readonly open?: number }) {
  return (
    <div className={styles.json}>
      <Value value={value} level={0} open={open} name={null} />
    </div>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly level: number;
  readonly open: number;
  readonly name: string | null;
}

function Value({ value, level, open, name }: ValueProps) {
  const label = name === null ? null : <span className={styles.key}>{name}</span>;
  if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    const entries: [string, unknown][] = isList
      ? value.map((each, index) => [String(index), each])
      : Object.entries(value);
    if (entries.length > 0) return <Branch {...{ entries, isList, level, open, label }} />;
    return (
      <Line label={label}>
        <span className={styles.faint}>{isList ? "[]" : "{}"}</span>
      </Line>
    );
  }
  return (
    <Line label={label}>
      {typeof value === "string" ? <LongText value={value} /> : <span className={styles.plain}>{String(value)}</span>}
    </Line>
  );
}

function Line({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.line}>
      {label}
      {children}
    </div>
  );
}

interface BranchProps {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly isList: boolean;
  readonly level: number;
  readonly open: number;
  readonly label: ReactNode;
}

function Branch({ entries, isList, level, open, label }: BranchProps) {
  const [unfolded, setUnfolded] = useState(level < open);
  const [shown, setShown] = useState(ITEMS_AT_ONCE);
  const left = entries.length - shown;
  return (
    <div>
      <button type="button" className={styles.fold} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        <ChevronRight />
        {label}
        <span className={styles.faint}>
          {isList
            ? text("kit.json.items", { count: entries.length })
            : text("kit.json.keys", { count: entries.length })}
        </span>
      </button>
      {unfolded && (
        <div className={styles.children}>
          {entries.slice(0, shown).map(([name, value]) => (
            <Value key={name} value={value} level={level + 1} open={open} name={name} />
          ))}
          {left > 0 && (
            <button type="button" className={styles.more} onClick={() => setShown(shown + ITEMS_AT_ONCE * 10)}>
              {text("kit.json.more", { count: Math.min(left, ITEMS_AT_ONCE * 10) })}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** The beginning of a long text, the rest at a click. */
function LongText({ value }: { readonly value: string }) {
  const [whole, setWhole] = useState(false);
  if (whole || value.length <= TEXT_AT_ONCE) return <span className={styles.text}>{value}</span>;
  return (
    <span className={styles.text}>
      {value.slice(0, TEXT_AT_ONCE)}…{" "}
      <button type="button" className={styles.more} onClick={() => setWhole(true)}>
        {text("kit.text.more", { size: formatBytes(value.length) })}
      </button>
    </span>
  );
}
