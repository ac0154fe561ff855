// Values with their counts in the range, beside the list. A click asks for the value, the mark behind it leaves it out.
import { Ban, ListFilter } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../kit/Button.tsx";
import { classes } from "../kit/classes.ts";
import { Drawer } from "../kit/Dialog.tsx";
import { useNarrow } from "../kit/media.ts";
import { formatCount } from "../lib/format.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import { text } from "../texts/texts.ts";
import styles from "./FacetSidebar.module.css";
import type { Facet } from "./facets.ts";

export interface FacetGroup {
  readonly key: string;
  readonly title: string;
  /** Undefined while they are counted. */
  readonly values: readonly FacetEntry[] | undefined;
  readonly facet: Facet;
}

export interface FacetEntry {
  readonly value: string;
  readonly label: string;
  readonly count: number | undefined;
  /** A token of a colour, or a glyph. */
  readonly mark?: ReactNode;
}

interface FacetSidebarProps {
  readonly groups: readonly FacetGroup[];
  readonly condition: string;
  readonly onCondition: (condition: string) => void;
  /** Why there are no counts. */
  readonly problem: string | null;
}

const openPreference = createPreference("facets.open", true);

/** Shown beside the list, or behind a button where there is no room. */
function useFacetsOpen(): [boolean, (open: boolean) => void] {
  return usePreference(openPreference);
}

export function FacetSidebar(props: FacetSidebarProps) {
  const [open] = useFacetsOpen();
  const narrow = useNarrow();
  if (narrow || !open) return null;
  return (
    <aside className={styles.sidebar} aria-label={text("explorer.facets")}>
      <Groups {...props} />
    </aside>
  );
}

/** Hides and shows the sidebar; on a phone it opens the facets over the page. */
export function FacetsButton(props: FacetSidebarProps) {
  const [open, setOpen] = useFacetsOpen();
  const [drawn, setDrawn] = useState(false);
  const narrow = useNarrow();
  return (
    <>
      <Button
        icon={<ListFilter />}
        {...(narrow ? {} : { pressed: open })}
        onClick={() => (narrow ? setDrawn(true) : setOpen(!open))}
      >
        {text("explorer.facets")}
      </Button>
      <Drawer open={drawn} onClose={() => setDrawn(false)} title={text("explorer.facets")}>
        <Groups {...props} />
      </Drawer>
    </>
  );
}

function Groups({ groups, condition, onCondition, problem }: FacetSidebarProps) {
  return (
    <>
      {problem !== null && <p className={styles.problem}>{problem}</p>}
      {groups.map(({ key, title, values, facet }) =>
        values?.length === 0 ? null : (
          <section key={key} className={styles.group}>
            <h2>{title}</h2>
            {values === undefined
              ? problem === null && <Waiting />
              : values.map((entry) => (
                  <Entry
                    key={entry.value}
                    entry={entry}
                    facet={facet}
                    condition={condition}
                    onCondition={onCondition}
                  />
                ))}
          </section>
        ),
      )}
    </>
  );
}

interface EntryProps {
  readonly entry: FacetEntry;
  readonly facet: Facet;
  readonly condition: string;
  readonly onCondition: (condition: string) => void;
}

function Entry({ entry: { value, label, count, mark }, facet, condition, onCondition }: EntryProps) {
  const state = facet.stateOf(condition, value);
  return (
    <div
      className={classes(
        styles.entry,
        state === "included" && styles.included,
        state === "excluded" && styles.excluded,
      )}
    >
      <button
        type="button"
        className={styles.value}
        aria-pressed={state === "included"}
        title={label}
        onClick={() => onCondition(facet.toggle(condition, value, "included"))}
      >
        <span className={styles.mark}>{mark}</span>
        <span className={styles.label}>{label}</span>
        <span className={styles.count}>{formatCount(count)}</span>
      </button>
      <button
        type="button"
        className={styles.exclude}
        aria-pressed={state === "excluded"}
        aria-label={text("explorer.facets.exclude", { name: label })}
        title={text("explorer.facets.exclude", { name: label })}
        onClick={() => onCondition(facet.toggle(condition, value, "excluded"))}
      >
        <Ban />
      </button>
    </div>
  );
}

function Waiting() {
  return (
    <>
      {[62, 44, 51].map((width) => (
        <span key={width} className={styles.waiting} style={{ width: `${width}%` }} />
      ))}
    </>
  );
}
