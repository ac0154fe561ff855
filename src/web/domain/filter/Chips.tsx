// A part of a condition, and the words of a search, as something to read and to remove.
import { X } from "lucide-react";
import { text } from "../../texts/texts.ts";
import type { Chip, PlainChip } from "./chips.ts";
import styles from "./FilterBar.module.css";

const WORDS: Readonly<Record<PlainChip["operator"], string>> = {
  "==": text("filter.is"),
  "!=": text("filter.is.not"),
  "<": "<",
  "<=": "≤",
  ">": ">",
  ">=": "≥",
  is: text("filter.is"),
  "is not": text("filter.is.not"),
  in: text("filter.is"),
  "not in": text("filter.is.not"),
  contains: text("filter.contains"),
};

interface ConditionChipProps {
  readonly chip: Chip;
  readonly onRemove: () => void;
}

export function ConditionChip({ chip: { plain, text: written }, onRemove }: ConditionChipProps) {
  return (
    <span className={styles.chip} title={written}>
      {plain === null ? (
        <span className={styles.written}>{written}</span>
      ) : (
        <span className={styles.written}>
          {plain.field} <em>{WORDS[plain.operator]}</em> {shownValues(plain)}
        </span>
      )}
      <RemoveButton label={written} onRemove={onRemove} />
    </span>
  );
}

export function SearchChip({ words, onRemove }: { readonly words: string; readonly onRemove: () => void }) {
  return (
    <span className={styles.chip}>
      <span className={styles.written}>
        <em>{text("filter.text.contains")}</em> “{words}”
      </span>
      <RemoveButton label={words} onRemove={onRemove} />
    </span>
  );
}

function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <button
      type="button"
      className={styles.remove}
      aria-label={text("filter.remove", { name: label })}
      onClick={onRemove}
    >
      <X />
    </button>
  );
}

function shownValues({ values }: PlainChip): string {
  return values.map((value) => (value === "None" ? text("filter.missing") : value)).join(text("filter.or"));
}
