// Models that were called lately and have no price: each a click away from one.
import { text } from "../../../texts/texts.ts";
import styles from "./Unpriced.module.css";
import type { UsedName } from "./used-names.ts";

interface UnpricedProps {
  readonly names: readonly UsedName[] | undefined;
  /** Null where nothing may be changed. */
  readonly onPrice: ((name: string) => void) | null;
}

const MOST_SHOWN = 6;

export function Unpriced({ names, onPrice }: UnpricedProps) {
  const unpriced = (names ?? []).filter(({ unknownCount }) => unknownCount > 0);
  if (unpriced.length === 0) return null;
  const more = unpriced.length - MOST_SHOWN;
  return (
    <div className={styles.unpriced} role="status">
      <span>{text("models.unpriced", { count: unpriced.length })}</span>
      {unpriced.slice(0, MOST_SHOWN).map(({ name }) =>
        onPrice === null ? (
          <code key={name}>{name}</code>
        ) : (
          <button key={name} type="button" title={text("models.unpriced.set", { name })} onClick={() => onPrice(name)}>
            {name}
          </button>
        ),
      )}
      {more > 0 && <span>{text("models.matches.more", { count: more })}</span>}
    </div>
  );
}
