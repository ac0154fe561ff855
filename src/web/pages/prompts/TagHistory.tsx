// Where the tags of a prompt pointed, newest first: what was live when, and who changed it.
import { Link } from "wouter";
import { Section } from "../../kit/Section.tsx";
import { Badge } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { tagHistory, tagMovesOf } from "./prompts.queries.ts";
import styles from "./TagHistory.module.css";
import view from "./VersionView.module.css";

/** Nothing until a tag was set. */
export default function TagHistory({ promptId }: { readonly promptId: string }) {
  const { data } = useGraphql(tagHistory, { id: promptId });
  const moves = data === undefined ? [] : tagMovesOf(data);
  if (moves.length === 0) return null;
  return (
    <div className={view.view}>
      <Section title={text("prompts.tag.history")}>
        <ol className={styles.moves}>
          {moves.map(({ name, version, user, movedAt }) => (
            <li key={`${movedAt} ${name}`} className={styles.move}>
              <Badge tone={version === null ? "neutral" : "accent"}>{name}</Badge>
              {version === null ? (
                <span>{text("prompts.tag.history.removed")}</span>
              ) : (
                <Link href={linkTo("promptVersion", { promptId, versionId: version.id })} className={styles.version}>
                  {text("prompts.tag.history.set", { number: version.sequenceNumber })}
                </Link>
              )}
              <span className={styles.quiet}>
                {user !== null && `${text("prompts.version.by", { name: user.username })} · `}
                <Time at={movedAt} relative />
              </span>
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}
