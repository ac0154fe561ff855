// How two versions of a dataset differ: counts, and the examples of one kind. What changed is shown value by value, texts by words.
import { useState } from "react";
import { Link } from "wouter";
import type { Json } from "../../../../kernel/json.ts";
import { Button } from "../../../kit/Button.tsx";
import { JsonDiff } from "../../../kit/diff/JsonDiff.tsx";
import { Segmented } from "../../../kit/Field.tsx";
import { EmptyState, FailedState, Loaded, Skeleton } from "../../../kit/States.tsx";
import { formatCount } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { useGraphql, useGraphqlPages } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { exampleName } from "../comparison/example-name.ts";
import { ExampleValue } from "../ExampleValue.tsx";
import styles from "./Versions.module.css";
import {
  countsOf,
  type DifferingExample,
  differenceCounts,
  differingExamples,
  differingOf,
} from "./versions.queries.ts";

interface DifferenceProps {
  readonly datasetId: string;
  readonly from: string;
  readonly to: string;
}

type Kind = "changed" | "added" | "removed";
const kinds: readonly Kind[] = ["changed", "added", "removed"];

export function Difference(props: DifferenceProps) {
  const { datasetId, from, to } = props;
  const query = useGraphql(differenceCounts, { id: datasetId, from, to });
  const [chosen, setChosen] = useState<Kind | null>(null);
  return (
    <Loaded query={query}>
      {(answer) => {
        const counts = countsOf(answer);
        const first = kinds.find((each) => (counts?.[each] ?? 0) > 0);
        if (counts === null || first === undefined) {
          return <EmptyState title={text("versions.same.title")}>{text("versions.same.text")}</EmptyState>;
        }
        const kind = chosen ?? first;
        return (
          <>
            <div className={styles.kinds}>
              <Segmented
                label={text("versions.kinds")}
                value={kind}
                choices={kinds.map((each) => ({
                  value: each,
                  label: `${text(`versions.kind.${each}`)} ${formatCount(counts[each])}`,
                }))}
                onChange={setChosen}
              />
            </div>
            <DifferingExamples key={kind} {...props} kind={kind} />
          </>
        );
      }}
    </Loaded>
  );
}

const AT_ONCE = 20;
const kindWords = { changed: "CHANGED", added: "ADDED", removed: "REMOVED" } as const;

function DifferingExamples({ datasetId, from, to, kind }: DifferenceProps & { readonly kind: Kind }) {
  const { rows, error, refetch, loadMore } = useGraphqlPages(
    differingExamples,
    {
      id: datasetId,
      from,
      to,
      first: AT_ONCE,
      kinds: [kindWords[kind]],
      withBefore: kind !== "added",
      withAfter: kind !== "removed",
    },
    differingOf,
  );
  if (rows === undefined) return error ? <FailedState failure={error} onRetry={refetch} /> : <Skeleton lines={6} />;
  if (rows.length === 0) return <p className={styles.none}>{text(`versions.none.${kind}`)}</p>;
  return (
    <>
      {rows.map(({ example }) => (
        <DifferingCard
          key={example.id}
          example={example}
          datasetId={datasetId}
          versionId={kind === "removed" ? from : to}
        />
      ))}
      {loadMore !== undefined && (
        <Button look="quiet" onClick={loadMore}>
          {text("versions.examples.more")}
        </Button>
      )}
    </>
  );
}

type ExampleParts = Readonly<Record<(typeof parts)[number], Json>>;
const parts = ["input", "output", "metadata"] as const;

/** By the words of the pages. */
function named(example: ExampleParts): Json {
  return Object.fromEntries(parts.map((part) => [text(`datasets.example.${part}`), example[part]]));
}

/** What was added or removed as it is read elsewhere; empty metadata say nothing. */
function Whole({ example }: { readonly example: ExampleParts }) {
  return parts
    .filter((part) => part !== "metadata" || Object.keys(example.metadata ?? {}).length > 0)
    .map((part) => (
      <section key={part} className={styles.part} aria-label={text(`datasets.example.${part}`)}>
        <h4>{text(`datasets.example.${part}`)}</h4>
        <ExampleValue value={example[part]} />
      </section>
    ));
}

interface DifferingCardProps {
  readonly example: DifferingExample["example"];
  readonly datasetId: string;
  /** Where it is read. */
  readonly versionId: string;
}

function DifferingCard({ example, datasetId, versionId }: DifferingCardProps) {
  const { id, externalId, before, after } = example;
  const name = externalId ?? exampleName(((after ?? before) as { readonly input?: Json } | undefined)?.input);
  return (
    <article className={styles.card} aria-label={name}>
      <h3>
        <Link
          href={`${linkTo("example", { datasetId, exampleId: id })}?${new URLSearchParams({ version: versionId })}`}
        >
          <bdi>{name}</bdi>
        </Link>
      </h3>
      {before !== undefined && after !== undefined ? (
        <JsonDiff
          before={named(before as ExampleParts)}
          after={named(after as ExampleParts)}
          names={{ key: text("versions.value"), before: text("versions.before"), after: text("versions.after") }}
          same={text("versions.same.title")}
        />
      ) : (
        <Whole example={(after ?? before) as ExampleParts} />
      )}
    </article>
  );
}
