// One example over the list: its input, its expected output, its metadata, and the span that it was made from.
import { Pencil, Split, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Json, stringifyJson } from "../../../kernel/json.ts";
import { SELECTED_SPAN } from "../../domain/trace/selected.ts";
import { PanelHead } from "../../explorer/PanelHead.tsx";
import { PanelButtons, type PanelNavigation, type PanelTexts, usePanelKeys } from "../../explorer/panel-navigation.tsx";
import { Button, IconButton, LinkButton } from "../../kit/Button.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { Segmented } from "../../kit/Field.tsx";
import { JsonView } from "../../kit/JsonView.tsx";
import { useShortcut } from "../../kit/keys.ts";
import { Badge, EmptyState, Loaded, Skeleton } from "../../kit/States.tsx";
import { readFragment } from "../../lib/graphql.ts";
import { Late, late } from "../../lib/late.tsx";
import { linkTo } from "../../lib/links.ts";
import { createPreference, usePreference } from "../../lib/preferences.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { exampleName } from "./comparison/example-name.ts";
import styles from "./DatasetPage.module.css";
import { exampleById, exampleFields, type ListedExample } from "./datasets.queries.ts";
import { ExampleValue } from "./ExampleValue.tsx";

const { Part: ExampleEditor } = late(() => import("./editor/ExampleEditor.tsx"));
const { Part: SplitsDialog } = late(() => import("./editor/SplitsDialog.tsx"));
const { Part: DeleteExamplesDialog } = late(() => import("./editor/DeleteExamplesDialog.tsx"));

const words: PanelTexts = {
  group: "datasets.keys",
  previous: "datasets.example.previous",
  next: "datasets.example.next",
  close: "datasets.example.close",
};

const readings = ["formatted", "raw"] as const;
const readingPreference = createPreference<(typeof readings)[number]>("datasets.reading", "formatted");

interface ExamplePanelProps {
  readonly exampleId: string;
  readonly versionId: string | null;
  /** As the list has it; it may be none of the rows that are loaded. */
  readonly row: ListedExample | undefined;
  readonly navigation: PanelNavigation;
}

export function ExamplePanel({ exampleId, versionId, row, navigation }: ExamplePanelProps) {
  usePanelKeys(navigation, words);
  return (
    <section className={styles.panel} aria-label={text("datasets.example")}>
      {row === undefined ? (
        <AskedExample exampleId={exampleId} versionId={versionId} navigation={navigation} />
      ) : (
        <Example example={row} newest={versionId === null} navigation={navigation} />
      )}
    </section>
  );
}

function AskedExample({ exampleId, versionId, navigation }: Omit<ExamplePanelProps, "row">) {
  const query = useGraphql(exampleById, { id: exampleId, versionId });
  if (query.error?.kind === "not_found") {
    return <NoExample navigation={navigation} />;
  }
  return (
    <Loaded query={query}>
      {({ node }) =>
        node?.__typename === "DatasetExample" ? (
          <Example example={readFragment(exampleFields, node)} newest={versionId === null} navigation={navigation} />
        ) : (
          <NoExample navigation={navigation} />
        )
      }
    </Loaded>
  );
}

function NoExample({ navigation: { onClose } }: Pick<ExamplePanelProps, "navigation">) {
  return (
    <EmptyState
      title={text("datasets.example.gone.title")}
      action={onClose !== null && <Button onClick={onClose}>{text("datasets.example.close")}</Button>}
    >
      {text("datasets.example.gone.text")}
    </EmptyState>
  );
}

interface ExampleProps {
  readonly example: ListedExample;
  /** What an old version says cannot be changed. */
  readonly newest: boolean;
  readonly navigation: PanelNavigation;
}

function Example({ example, newest, navigation }: ExampleProps) {
  const [asked, setAsked] = useState<"edit" | "splits" | "delete" | null>(null);
  const [reading, setReading] = usePreference(readingPreference);
  const { mayWrite } = useRights();
  const mayEdit = mayWrite && newest;
  const close = () => setAsked(null);
  useShortcut(
    { keys: "e", label: "datasets.edit.this", group: "datasets.keys", run: () => setAsked("edit") },
    mayEdit && asked === null,
  );
  const { id, externalId, createdAt, datasetSplits, span, revision } = example;
  return (
    <>
      <PanelHead
        sort={text("datasets.example")}
        startTime={createdAt}
        name={exampleName(revision.input as Json)}
        actions={
          <>
            {span !== null && (
              <LinkButton look="quiet" to={linkToSpan(span)}>
                {text("datasets.example.span")}
              </LinkButton>
            )}
            {mayEdit && asked !== "edit" && (
              <IconButton label={text("datasets.edit.this")} icon={<Pencil />} onClick={() => setAsked("edit")} />
            )}
            {mayWrite && (
              <IconButton label={text("datasets.split.this")} icon={<Split />} onClick={() => setAsked("splits")} />
            )}
            {mayEdit && (
              <IconButton label={text("datasets.remove.this")} icon={<Trash2 />} onClick={() => setAsked("delete")} />
            )}
            <PanelButtons navigation={navigation} words={words} />
          </>
        }
      >
        {externalId !== null && <span className={styles.ownId}>{externalId}</span>}
        {datasetSplits.map((split) => (
          <Badge key={split.id}>{split.name}</Badge>
        ))}
      </PanelHead>
      {asked === "edit" && mayEdit ? (
        <Late keys="page" fallback={<Skeleton lines={8} />}>
          <ExampleEditor exampleId={id} onClose={close} />
        </Late>
      ) : (
        // A region that scrolls must be reachable by keys.
        <section className={styles.body} aria-label={text("datasets.example.content")} tabIndex={0}>
          <div className={styles.reading}>
            <Segmented
              label={text("datasets.example.reading")}
              value={reading}
              choices={readings.map((value) => ({ value, label: text(`datasets.example.reading.${value}`) }))}
              onChange={setReading}
            />
          </div>
          {(["input", "output", "metadata"] as const).map((part) => (
            <Part
              key={part}
              name={text(`datasets.example.${part}`)}
              value={revision[part] as Json}
              raw={reading === "raw"}
            />
          ))}
        </section>
      )}
      {asked === "splits" && (
        <Late keys="page">
          <SplitsDialog examples={[example]} onClose={close} />
        </Late>
      )}
      {asked === "delete" && (
        <Late keys="page">
          <DeleteExamplesDialog
            exampleIds={[id]}
            onDone={() => (navigation.onNext ?? navigation.onClose)?.()}
            onClose={close}
          />
        </Late>
      )}
    </>
  );
}

interface PartProps {
  readonly name: string;
  readonly value: Json;
  readonly raw: boolean;
}

function Part({ name, value, raw }: PartProps): ReactNode {
  return (
    <section className={styles.part} aria-label={name}>
      <header>
        <h3>{name}</h3>
        <CopyButton label={text("datasets.example.copy", { part: name })} value={() => stringifyJson(value)} />
      </header>
      {raw ? <JsonView value={value} /> : <ExampleValue value={value} />}
    </section>
  );
}

function linkToSpan({ id, trace, project }: NonNullable<ListedExample["span"]>): string {
  const parameters = new URLSearchParams({ [SELECTED_SPAN]: id });
  return `${linkTo("trace", { projectId: project.id, traceId: trace.traceId })}?${parameters}`;
}
