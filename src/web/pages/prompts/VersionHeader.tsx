// The head of a version: its number, the tags that point at it, and what moves them.
import { Tag, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/Button.tsx";
import { Badge } from "../../kit/States.tsx";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import type { ListedVersion } from "./prompts.queries.ts";
import { RemoveTagDialog, TagDialog } from "./TagDialogs.tsx";
import styles from "./VersionHeader.module.css";

interface VersionHeaderProps {
  /** Undefined while its page of the list has not come. */
  readonly version: ListedVersion | undefined;
  readonly versions: readonly ListedVersion[];
}

export function VersionHeader({ version, versions }: VersionHeaderProps) {
  const { mayWrite } = useRights();
  const [setting, setSetting] = useState(false);
  const [removed, setRemoved] = useState<ListedVersion["tags"][number] | null>(null);
  if (version === undefined) return null;
  return (
    <header className={styles.header}>
      <h2 className={styles.number}>{text("prompts.number", { number: version.sequenceNumber })}</h2>
      {version.tags.map((tag) => (
        <span key={tag.id} className={styles.tag} title={tag.description ?? undefined}>
          <Badge tone="accent">{tag.name}</Badge>
          {mayWrite && (
            <IconButton
              small
              label={text("prompts.tag.remove", { name: tag.name })}
              icon={<X />}
              onClick={() => setRemoved(tag)}
            />
          )}
        </span>
      ))}
      <span className={styles.space} />
      {mayWrite && (
        <Button icon={<Tag />} onClick={() => setSetting(true)}>
          {text("prompts.tag.set")}
        </Button>
      )}
      {setting && <TagDialog version={version} versions={versions} onClose={() => setSetting(false)} />}
      {removed !== null && <RemoveTagDialog tag={removed} onClose={() => setRemoved(null)} />}
    </header>
  );
}
