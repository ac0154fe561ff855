// The versions of a dataset, newest first, and how any two of them differ. Which two stands in the address; without, the newest and
// the one before it.
import { useId } from "react";
import { Link } from "wouter";
import { Button } from "../../../kit/Button.tsx";
import { EmptyState, FailedState, Skeleton } from "../../../kit/States.tsx";
import { useAddress } from "../../../lib/address.ts";
import { formatCount, formatDayAndTime, formatInstant } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { useGraphqlPages } from "../../../lib/queries.ts";
import { useTimeZone } from "../../../lib/time-zone.ts";
import { text } from "../../../texts/texts.ts";
import { type ListedVersion, versionList, versionsOf } from "../datasets.queries.ts";
import { Difference } from "./Difference.tsx";
import styles from "./Versions.module.css";

const AT_ONCE = 1000;

export default function Versions({ datasetId }: { readonly datasetId: string }) {
  const { rows, error, refetch, loadMore } = useGraphqlPages(
    versionList,
    { id: datasetId, first: AT_ONCE },
    versionsOf,
  );
  const address = useAddress();
  const group = useId();
  const zone = useTimeZone();
  if (rows === undefined) return error ? <FailedState failure={error} onRetry={refetch} /> : <Skeleton lines={8} />;
  const to = address.get("to") ?? rows[0]?.id;
  const from = address.get("from") ?? rows[rows.findIndex(({ id }) => id === to) + 1]?.id;
  const choose = (end: "from" | "to", id: string) => address.set({ from: from ?? null, to: to ?? null, [end]: id });
  return (
    <div className={styles.columns}>
      <section className={styles.list} aria-label={text("versions.title")}>
        <table>
          <thead>
            <tr>
              <th title={text("versions.before")}>{text("versions.from")}</th>
              <th title={text("versions.after")}>{text("versions.to")}</th>
              <th>{text("versions.version")}</th>
              <th className={styles.end}>{text("datasets.examples")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((version, index) => (
              <tr key={version.id} data-chosen={version.id === to || version.id === from || undefined}>
                {(["from", "to"] as const).map((end) => (
                  <td key={end}>
                    <label className={styles.radio}>
                      <input
                        type="radio"
                        name={`${group}-${end}`}
                        checked={version.id === (end === "from" ? from : to)}
                        onChange={() => choose(end, version.id)}
                      />
                      <span className="visually-hidden">
                        {text(`versions.${end}.this`, { time: formatInstant(version.createdAt, zone) })}
                      </span>
                    </label>
                  </td>
                ))}
                <td>
                  <About
                    version={version}
                    number={loadMore === undefined ? rows.length - index : null}
                    datasetId={datasetId}
                    newest={index === 0}
                  />
                </td>
                <td className={styles.end}>{formatCount(version.exampleCount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {loadMore !== undefined && (
          <Button look="quiet" onClick={loadMore}>
            {text("versions.more")}
          </Button>
        )}
      </section>
      <section className={styles.difference} aria-label={text("versions.difference")}>
        {from === undefined || to === undefined ? (
          <EmptyState title={text("versions.one.title")}>{text("versions.one.text")}</EmptyState>
        ) : (
          <Difference key={`${from} ${to}`} datasetId={datasetId} from={from} to={to} />
        )}
      </section>
    </div>
  );
}

interface AboutProps {
  readonly version: ListedVersion;
  /** Counted from the oldest, which is 1; null while older ones are not loaded. */
  readonly number: number | null;
  readonly datasetId: string;
  readonly newest: boolean;
}

/** Its number, day, author, what it changed and what was noted. */
function About({ version, number, datasetId, newest }: AboutProps) {
  const { id, createdAt, createdBy, description, createdCount, updatedCount, deletedCount } = version;
  const parameters = newest ? "" : `?${new URLSearchParams({ version: id })}`;
  const changes = [
    ...(createdCount > 0 ? [text("versions.added", { count: createdCount })] : []),
    ...(updatedCount > 0 ? [text("versions.changed", { count: updatedCount })] : []),
    ...(deletedCount > 0 ? [text("versions.removed", { count: deletedCount })] : []),
  ];
  return (
    <>
      <Link href={`${linkTo("examples", { datasetId })}${parameters}`} className={styles.open}>
        {number === null ? <Day at={createdAt} /> : text("versions.number", { number })}
      </Link>
      {number !== null && <Day at={createdAt} />}
      {createdBy !== null && <span className={styles.by}>{createdBy.username}</span>}
      <span className={styles.counts}>{changes.join(", ") || text("versions.nothing")}</span>
      {description && <p className={styles.note}>{description}</p>}
    </>
  );
}

function Day({ at }: { readonly at: string }) {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={formatInstant(at, zone)} className={styles.by}>
      {formatDayAndTime(at, zone)}
    </time>
  );
}
