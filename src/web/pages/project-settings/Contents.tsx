// How much is in a project.
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Facts, Section } from "../../kit/Section.tsx";
import { Notice } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import { formatCount } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { projectContents, type SettingsOfProject } from "./project-settings.queries.ts";

export function Contents({ project }: { readonly project: SettingsOfProject }) {
  const query = useGraphql(projectContents, { id: project.id, timeRange: null });
  const counted = projectOf(query.data);
  const facts = [
    { label: text("config.traces"), value: counted === undefined ? "…" : formatCount(counted.traceCount) },
    { label: text("config.spans"), value: counted === undefined ? "…" : formatCount(counted.recordCount) },
    { label: text("config.sessions"), value: counted === undefined ? "…" : formatCount(counted.sessionCount) },
    { label: text("config.first"), value: <Time at={project.startTime} /> },
    { label: text("config.last"), value: <Time at={project.endTime} /> },
  ];
  return (
    <Section title={text("config.contents")} hint={text("config.contents.hint")}>
      {query.error && <Notice tone="error">{query.error.message}</Notice>}
      <Facts facts={facts} />
    </Section>
  );
}
