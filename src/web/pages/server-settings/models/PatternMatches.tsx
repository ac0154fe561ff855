// What a pattern is found in, among the names in recent spans, before it is saved.
import { compileNamePattern } from "../../../../costs/name-pattern.ts";
import { formatCompact } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./PatternMatches.module.css";
import type { UsedName } from "./used-names.ts";

interface PatternMatchesProps {
  readonly pattern: string;
  /** Undefined until they are known. */
  readonly names: readonly UsedName[] | undefined;
}

const MOST_SHOWN = 8;

export function PatternMatches({ pattern, names }: PatternMatchesProps) {
  const found = names === undefined ? null : foundIn(pattern.trim(), names);
  if (names === undefined || found === null) return null;
  const counts = { found: found.length, count: names.length };
  return (
    <div className={styles.matches} role="status">
      <p>{found.length === 0 ? text("models.matches.none") : text("models.matches", counts)}</p>
      {found.length > 0 && (
        <ul>
          {found.slice(0, MOST_SHOWN).map(({ name, tokens, unknownCount }) => (
            <li key={name}>
              <code>{name}</code>
              <span>{text("trace.tokens.count", { count: formatCompact(tokens) })}</span>
              {unknownCount > 0 && <span className={styles.unknown}>{text("models.matches.unpriced")}</span>}
            </li>
          ))}
          {found.length > MOST_SHOWN && <li>{text("models.matches.more", { count: found.length - MOST_SHOWN })}</li>}
        </ul>
      )}
    </div>
  );
}

/** Null for what is no pattern yet. */
function foundIn(pattern: string, names: readonly UsedName[]): readonly UsedName[] | null {
  if (pattern === "") return null;
  try {
    const compiled = compileNamePattern(pattern);
    return names.filter(({ name }) => compiled.isFoundIn(name));
  } catch {
    return null;
  }
}
