// The examples that were made of a span, as links. Nothing where there are none.
import { Link } from "wouter";
import { readFragment } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { exampleOfSpan, examplesOfSpan } from "./addition/addition.queries.ts";
import styles from "./InDatasets.module.css";

/** More are only counted. */
const MOST_LINKS = 2;

export function InDatasets({ spanId }: { readonly spanId: string }) {
  const { data } = useGraphql(examplesOfSpan, { id: spanId });
  const node = data?.node;
  if (node === undefined || node === null || !("datasetExamples" in node)) return null;
  const examples = readFragment(exampleOfSpan, node.datasetExamples);
  // One for each dataset: it may be there more than once.
  const shown = [...new Map(examples.map((example) => [example.dataset.id, example])).values()];
  if (shown.length === 0) return null;
  return (
    <span className={styles.links}>
      {shown.slice(0, MOST_LINKS).map(({ id, dataset }) => (
        <Link key={id} href={linkTo("example", { datasetId: dataset.id, exampleId: id })} className={styles.link}>
          {text("addition.in", { name: dataset.name })}
        </Link>
      ))}
      {shown.length > MOST_LINKS && (
        <span title={shown.map(({ dataset }) => dataset.name).join("\n")}>
          {text("addition.in.more", { count: shown.length - MOST_LINKS })}
        </span>
      )}
    </span>
  );
}
