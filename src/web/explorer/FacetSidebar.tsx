// Values beside the list, each with the number of its rows that have it: so many does a click on it leave. The mark behind it leaves
// the value out.
import { Ban, ListFilter } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { Button } from "../kit/Button.tsx";
import { classes } from "../kit/classes.ts";
import { Drawer } from "../kit/Dialog.tsx";
import { useNarrow } from "../kit/media.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import { text } from "../texts/texts.ts";
import { countText } from "./counted.ts";
import styles from "./FacetSidebar.module.css";
import type { Facet } from "./facets.ts";

export interface FacetGroup {
  readonly key: string;
  /** Without one the group continues that before it. */
  readonly title?: string;
  /** A figure of all of it, beside the title. */
  readonly figure?: string | undefined;
  /** The title is shown without values too, for the groups that continue this one. */
  readonly always?: boolean;
  /** Undefined while they are counted. */
  readonly values: readonly FacetEntry[] | undefined;
  readonly facet: Facet;
  /** Not every row of the list was looked at: there may be more of each. */
  readonly atLeast?: boolean;
}

export interface FacetEntry {
  readonly value: string;
  readonly label: string;
  /** Null says nothing: a click adds rows to those that are chosen. */
  readonly count: number | null;
  /** A token of a colour, or a glyph. */
  readonly mark?: ReactNode;
}

interface FacetSidebarProps {
  readonly groups: readonly FacetGroup[];
  readonly condition: string;
  readonly onCondition: (condition: string) => void;
  /** Why there are no counts. */
  readonly problem: string | null;
  /** What is counted, where it is not all that is listed. */
  readonly note: string | null;
  /** The counts are those of what was listed before. */
  readonly counting: boolean;
  /** Facets that come later, behind the others. */
  readonly children?: ReactNode;
}

const openPreference = createPreference("facets.open", true);

/** Shown beside the list, or behind a button where there is no space. */
function useFacetsOpen(): [boolean, (open: boolean) => void] {
  return usePreference(openPreference);
}

export function FacetSidebar(props: FacetSidebarProps) {
  const [open] = useFacetsOpen();
  const narrow = useNarrow();
  if (narrow || !open) return null;
  return (
    <aside className={styles.sidebar} aria-label={text("explorer.facets")}>
      <FacetGroups {...props} />
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
        <FacetGroups {...props} />
      </Drawer>
    </>
  );
}

export function FacetGroups({ groups, condition, onCondition, problem, note, counting, children }: FacetSidebarProps) {
  const shown = useShownEntries(groups, condition);
  return (
    <>
      {problem !== null && <p className={styles.problem}>{problem}</p>}
      {problem === null && note !== null && <p className={styles.problem}>{note}</p>}
      {shown.map(({ key, title, figure, always = false, values, facet, atLeast = false }) =>
        values?.length === 0 && !always ? null : (
          <section
            key={key}
            className={classes(title !== undefined && styles.group, counting && styles.counting)}
            aria-busy={counting}
          >
            {title !== undefined && (
              <h2 title={title}>
                <bdi className={styles.name}>{title}</bdi>{" "}
                {figure !== undefined && <span className={styles.figure}>{figure}</span>}
              </h2>
            )}
            {values === undefined
              ? problem === null && <Waiting />
              : values.map((entry) => (
                  <Entry
                    key={entry.value}
                    entry={entry}
                    facet={facet}
                    atLeast={atLeast}
                    condition={condition}
                    onCondition={onCondition}
                  />
                ))}
          </section>
        ),
      )}
      {children}
    </>
  );
}

/** The counted values and, of those that were seen before, what the condition speaks of: so that a click can take it back where it
 *  stood. Where more values may be chosen, the others of such a facet stay as well. */
function useShownEntries(groups: readonly FacetGroup[], condition: string): readonly FacetGroup[] {
  const seen = useRef(new Map<string, Map<string, FacetEntry>>());
  return useMemo(
    () =>
      groups.map((group) => {
        const { key, values, facet } = group;
        if (values === undefined) return group;
        const before = seen.current.get(key) ?? new Map<string, FacetEntry>();
        const counted = new Set(values.map(({ value }) => value));
        const spoken = [...before.values()].filter(({ value }) => facet.stateOf(condition, value) !== null);
        const included = [...before.keys()].some((value) => facet.stateOf(condition, value) === "included");
        const missing = [...(facet.widens === true && included ? before.values() : spoken)]
          .filter(({ value }) => !counted.has(value))
          .map((entry) => ({ ...entry, count: spoken.includes(entry) ? 0 : null }));
        seen.current.set(key, new Map([...before, ...values.map((entry) => [entry.value, entry] as const)]));
        return { ...group, values: [...values, ...missing] };
      }),
    [groups, condition],
  );
}

interface EntryProps {
  readonly entry: FacetEntry;
  readonly atLeast: boolean;
  readonly facet: Facet;
  readonly condition: string;
  readonly onCondition: (condition: string) => void;
}

function Entry({ entry: { value, label, count, mark }, atLeast, facet, condition, onCondition }: EntryProps) {
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
        <span className={styles.count}>{count === null ? "" : countText(count, !atLeast)}</span>
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
