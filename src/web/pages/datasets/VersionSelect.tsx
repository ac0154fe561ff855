// Which version of a dataset is shown: the newest, or one that was.
import { Select } from "../../kit/Field.tsx";
import { formatDayAndTime } from "../../lib/format.ts";
import { useGraphqlPages } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/time-zone.ts";
import { text } from "../../texts/texts.ts";
import styles from "./DatasetPage.module.css";
import { versionList, versionsOf } from "./datasets.queries.ts";

const AT_ONCE = 1000;

interface VersionSelectProps {
  readonly datasetId: string;
  /** Null for the newest, whichever that will be. */
  readonly versionId: string | null;
  readonly onChange: (versionId: string | null) => void;
}

export function VersionSelect({ datasetId, versionId, onChange }: VersionSelectProps) {
  const zone = useTimeZone();
  const { rows = [], loadMore } = useGraphqlPages(versionList, { id: datasetId, first: AT_ONCE }, versionsOf);
  if (rows.length < 2 && versionId === null) return null;
  const choices = [
    { value: "", label: text("datasets.version.newest") },
    ...rows.map(({ id, createdAt, createdBy, description, exampleCount }, index) => ({
      value: id,
      label: [
        ...(loadMore === undefined ? [text("versions.number", { number: rows.length - index })] : []),
        formatDayAndTime(createdAt, zone),
        ...(createdBy === null ? [] : [createdBy.username]),
        text("datasets.example.count", { count: exampleCount }),
        ...(description === null ? [] : [description]),
      ].join(" · "),
    })),
  ];
  return (
    <span className={styles.version}>
      <Select
        labelHidden
        label={text("datasets.version")}
        choices={choices}
        value={versionId ?? ""}
        onChange={(chosen) => onChange(chosen === "" ? null : chosen)}
      />
    </span>
  );
}
