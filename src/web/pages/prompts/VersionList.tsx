// The versions of a prompt, newest first: number, tags, what was noted, who made it and when.

import { Button } from "../../kit/Button.tsx";
import { classes } from "../../kit/classes.ts";
import { Badge, FailedState, Skeleton } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import type { Pages } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import type { ListedVersion } from "./prompts.queries.ts";
import styles from "./VersionList.module.css";

interface VersionListProps {
  readonly list: Pages<ListedVersion, unknown>;
  readonly chosenId: string | undefined;
  readonly onChoose: (versionId: string) => void;
}

export function VersionList({ list, chosenId, onChoose }: VersionListProps) {
  const { rows, error, refetch, loadMore } = list;
  if (rows === undefined) return error ? <FailedState failure={error} onRetry={refetch} /> : <Skeleton />;
  return (
    <nav aria-label={text("prompts.versions")} className={styles.list}>
      {rows.map((version) => (
        <Row key={version.id} version={version} chosen={version.id === chosenId} onChoose={onChoose} />
      ))}
      {loadMore !== undefined && (
        <span className={styles.more}>
          <Button look="quiet" onClick={loadMore}>
            {text("prompts.versions.more")}
          </Button>
        </span>
      )}
    </nav>
  );
}

interface RowProps {
  readonly version: ListedVersion;
  readonly chosen: boolean;
  readonly onChoose: (versionId: string) => void;
}

function Row({ version, chosen, onChoose }: RowProps) {
  const { id, sequenceNumber, description, createdAt, user, tags } = version;
  return (
    <button
      type="button"
      className={classes(styles.row, chosen && styles.chosen)}
      aria-current={chosen ? "true" : undefined}
      onClick={() => onChoose(id)}
    >
      <span className={styles.first}>
        <span className={styles.number}>{text("prompts.number", { number: sequenceNumber })}</span>
        {tags.map((tag) => (
          <Badge key={tag.id} tone="accent">
            {tag.name}
          </Badge>
        ))}
        <span className={styles.time}>
          <Time at={createdAt} relative />
        </span>
      </span>
      {description && <span className={styles.note}>{description}</span>}
      {user !== null && <span className={styles.note}>{text("prompts.version.by", { name: user.username })}</span>}
    </button>
  );
}
