// Facts about a prompt as a whole.
import { Link } from "wouter";
import { JsonView } from "../../kit/JsonView.tsx";
import { Facts, Section } from "../../kit/Section.tsx";
import { Badge } from "../../kit/States.tsx";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import type { ShownPrompt } from "./prompts.queries.ts";
import styles from "./VersionView.module.css";

export function About({ prompt }: { readonly prompt: ShownPrompt }) {
  const { description, labels, metadata, sourcePrompt } = prompt;
  const facts = [
    { label: text("prompts.description"), value: description || null },
    {
      label: text("labels.title"),
      value: labels.length === 0 ? null : labels.map(({ id, name }) => <Badge key={id}>{name}</Badge>),
    },
    {
      label: text("prompts.source"),
      value: sourcePrompt && (
        <Link href={linkTo("prompt", { promptId: sourcePrompt.id })} className={styles.link}>
          {sourcePrompt.name}
        </Link>
      ),
    },
    {
      label: text("prompts.metadata"),
      value: Object.keys(metadata as object).length === 0 ? null : <JsonView value={metadata} />,
    },
  ];
  if (facts.every(({ value }) => value === null)) return null;
  return (
    <div className={styles.view}>
      <Section title={text("prompts.about")}>
        <Facts facts={facts} />
      </Section>
    </div>
  );
}
