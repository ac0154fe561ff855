// The frame of a card: a title that folds it, a choice of views, and its content as text in one click.
import { ChevronDown, ChevronRight, Maximize2, WrapText } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { IconButton } from "../../../../kit/Button.tsx";
import { CopyButton } from "../../../../kit/CopyButton.tsx";
import { classes } from "../../../../kit/classes.ts";
import { Dialog } from "../../../../kit/Dialog.tsx";
import { createPreference, usePreference } from "../../../../lib/preferences.ts";
import { type LabelKey, text } from "../../../../texts/texts.ts";
import styles from "./Card.module.css";

export interface CardView {
  readonly key: "formatted" | "text" | "json" | "tree" | "flat";
  /** `wrap` is for what has long lines. */
  readonly render: (wrap: boolean) => ReactNode;
}

const viewLabels: Readonly<Record<CardView["key"], LabelKey>> = {
  formatted: "span.view.formatted",
  text: "span.view.text",
  json: "span.view.json",
  tree: "span.view.tree",
  flat: "span.view.flat",
};

/** By card: the view and whether it is open, as the reader last chose. */
const viewPreference = createPreference<Readonly<Record<string, string>>>("trace.card.views", {});
const openPreference = createPreference<Readonly<Record<string, boolean>>>("trace.cards.open", {});
const wrapPreference = createPreference("trace.wrap", true);

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly tone?: "error";
  /** The first one is shown unless another was chosen. */
  readonly views: readonly CardView[];
  readonly copy: () => string | Promise<string>;
  readonly open: boolean;
}

export function Card({ id, title, note, tone, views, copy, open: openAtFirst }: CardProps) {
  const [opened, setOpened] = usePreference(openPreference);
  const [chosen, setChosen] = usePreference(viewPreference);
  const [wrap, setWrap] = usePreference(wrapPreference);
  const [large, setLarge] = useState(false);
  const body = useId();
  const open = opened[id] ?? openAtFirst;
  const view = views.find(({ key }) => key === chosen[id]) ?? views[0]!;
  const content = view.render(wrap);
  const choice = views.length > 1 && (
    <span className={styles.views} role="group" aria-label={text("span.view", { card: title })}>
      {views.map(({ key }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === view.key}
          onClick={() => setChosen({ ...chosen, [id]: key })}
        >
          {text(viewLabels[key])}
        </button>
      ))}
    </span>
  );
  const hasLines = view.key === "text" || view.key === "json";
  const tools = (
    <span className={styles.tools}>
      {choice}
      {hasLines && (
        <IconButton small label={text("span.wrap")} icon={<WrapText />} pressed={wrap} onClick={() => setWrap(!wrap)} />
      )}
      <CopyButton value={copy} label={text("span.copy", { card: title })} />
      {!large && (
        <IconButton
          small
          label={text("span.expand", { card: title })}
          icon={<Maximize2 />}
          onClick={() => setLarge(true)}
        />
      )}
    </span>
  );
  return (
    <section className={classes(styles.card, tone === "error" && styles.error)} data-card={id}>
      <header className={styles.head}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls={body}
          onClick={() => setOpened({ ...opened, [id]: !open })}
        >
          {open ? <ChevronDown /> : <ChevronRight />}
          <h4>{title}</h4>
          {note !== undefined && <small>{note}</small>}
        </button>
        {open && tools}
      </header>
      <div id={body} className={styles.body} hidden={!open}>
        {open && !large && content}
      </div>
      <Dialog open={large} onClose={() => setLarge(false)} title={title} full>
        {large && (
          <div className={styles.large}>
            {tools}
            {content}
          </div>
        )}
      </Dialog>
    </section>
  );
}
