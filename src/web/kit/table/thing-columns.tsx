// Columns of lists of things that people name: the name with a description, small words, when, and what can be done with one.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { NOTHING } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import { IconButton } from "../Button.tsx";
import { classes } from "../classes.ts";
import { Badge } from "../States.tsx";
import { Time } from "../Time.tsx";
import type { Column } from "./columns.ts";
import styles from "./thing-columns.module.css";

type Layout<Row> = Omit<Column<Row>, "key" | "render">;

interface NameOptions<Row> extends Layout<Row> {
  readonly nameOf: (row: Row) => string;
  readonly descriptionOf?: (row: Row) => string | null;
  /** Where a row leads. */
  readonly to?: (row: Row) => string;
  /** Names that programs write. */
  readonly mono?: boolean;
  /** Behind the name. */
  readonly badges?: (row: Row) => ReactNode;
}

/** The first column. */
export function nameColumn<Row>(options: NameOptions<Row>): Column<Row> {
  const { nameOf, descriptionOf, to, mono = false, badges, ...layout } = options;
  return {
    key: "name",
    pinned: true,
    narrow: "title",
    ...layout,
    render(row) {
      const description = descriptionOf?.(row);
      return (
        <>
          {to === undefined ? (
            <span className={mono ? styles.mono : styles.name}>{nameOf(row)}</span>
          ) : (
            <Link href={to(row)} tabIndex={-1} className={classes(styles.name, styles.link)}>
              {nameOf(row)}
            </Link>
          )}
          {badges !== undefined && <span className={styles.behind}>{badges(row)}</span>}
          {description && <span className={styles.description}>{description}</span>}
        </>
      );
    },
  };
}

interface BadgesOptions<Row> extends Layout<Row> {
  readonly key: string;
  readonly tone?: "accent";
  readonly of: (row: Row) => readonly { readonly id: string; readonly name: string }[];
}

/** Labels, tags, splits. */
export function badgesColumn<Row>({ of, tone, ...column }: BadgesOptions<Row>): Column<Row> {
  return {
    ...column,
    render: (row) => (
      <span className={styles.badges}>
        {of(row).map(({ id, name }) => (
          <Badge key={id} {...(tone && { tone })}>
            {name}
          </Badge>
        ))}
      </span>
    ),
  };
}

/** How long ago something was. */
export function agoColumn<Row>(
  key: string,
  title: string,
  at: (row: Row) => string | null,
  more: Partial<Layout<Row>> = {},
): Column<Row> {
  const render = (row: Row) => <Time at={at(row)} relative />;
  return { key, title, width: 120, align: "end", ...more, render };
}

/** A text, or a dash where there is none. */
export function Quiet({ children = NOTHING }: { readonly children?: ReactNode }) {
  return <span className={styles.quiet}>{children}</span>;
}

/** What programs write. */
export function Mono({ children }: { readonly children: string | null }) {
  return <span className={styles.mono}>{children}</span>;
}

interface RowAction {
  /** Read aloud, with the name of the row. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** Buttons at the end of a row. */
export function actionsColumn<Row>(width: number, actionsOf: (row: Row) => readonly RowAction[]): Column<Row> {
  return menuColumn(width, (row) =>
    actionsOf(row).map(({ label, icon, run }) => (
      <IconButton key={label} small label={label} icon={icon} onClick={run} />
    )),
  );
}

/** One menu in their place. */
export function menuColumn<Row>(width: number, menuOf: (row: Row) => ReactNode): Column<Row> {
  return {
    key: "actions",
    title: text("kit.table.actions"),
    width,
    align: "end",
    narrow: "aside",
    render: (row) => <span className={styles.actions}>{menuOf(row)}</span>,
  };
}
