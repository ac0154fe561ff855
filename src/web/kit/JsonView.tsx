// JSON to read: folded below the second level, keys in one ink and values in another, long lists and texts in parts. What is
// short stands on one line, and a text that holds JSON opens like any other value. What is folded is not drawn, so that a payload
// of megabytes opens at once.
import { ChevronRight } from "lucide-react";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { isRawNumber } from "../../kernel/json.ts";
import { formatBytes } from "../lib/format.ts";
import { heldJson, isShort } from "../lib/held-json.ts";
import { text } from "../texts/texts.ts";
import styles from "./JsonView.module.css";

const OPEN_LEVELS = 2;
const ITEMS_AT_ONCE = 100;
const TEXT_AT_ONCE = 2_000;
/** Characters of a value that stands on one line. */
const ONE_LINE = 64;

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
  if (typeof value === "object" && value !== null && !isRawNumber(value)) {
    const isList = Array.isArray(value);
    if (isShort(value, ONE_LINE)) {
      return (
        <Line label={label}>
          <span>
            <Inline value={value} />
          </span>
        </Line>
      );
    }
    const entries: [string, unknown][] = isList
      ? value.map((each, index) => [String(index), each])
      : Object.entries(value);
    return <Branch {...{ entries, isList, level, open, label }} />;
  }
  if (typeof value === "string") return <Text {...{ value, level, open, label }} />;
  return (
    <Line label={label}>
      <span className={styles.plain}>{isRawNumber(value) ? value.rawJSON : String(value)}</span>
    </Line>
  );
}

/** On one line, with the signs of JSON. */
function Inline({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value === "string") return <span className={styles.plain}>{JSON.stringify(value)}</span>;
  if (isRawNumber(value)) return <span className={styles.plain}>{value.rawJSON}</span>;
  if (typeof value !== "object" || value === null) return <span className={styles.plain}>{String(value)}</span>;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className={styles.faint}>{isList ? "[]" : "{}"}</span>;
  return (
    <>
      <span className={styles.faint}>{isList ? "[" : "{ "}</span>
      {entries.map(([name, member], index) => (
        <Fragment key={name}>
          {index > 0 && <span className={styles.faint}>, </span>}
          {!isList && (
            <>
              <span className={styles.key}>{JSON.stringify(name)}</span>
              <span className={styles.faint}>: </span>
            </>
          )}
          <Inline value={member} />
        </Fragment>
      ))}
      <span className={styles.faint}>{isList ? "]" : " }"}</span>
    </>
  );
}

interface TextProps {
  readonly value: string;
  readonly level: number;
  readonly open: number;
  readonly label: ReactNode;
}

/** A text, or the value that it holds as JSON. */
function Text({ value, level, open, label }: TextProps) {
  const held = useMemo(() => heldJson(value), [value]);
  if (typeof held !== "object" || held === null || isRawNumber(held) || isShort(held, ONE_LINE)) {
    return (
      <Line label={label}>
        <LongText value={value} />
      </Line>
    );
  }
  const isList = Array.isArray(held);
  return <Branch {...{ entries: Object.entries(held), isList, level, open, label }} note={text("kit.json.held")} />;
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
  readonly note?: string;
}

function Branch({ entries, isList, level, open, label, note }: BranchProps) {
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
          {note !== undefined && ` · ${note}`}
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
