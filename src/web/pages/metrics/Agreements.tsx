// Annotations by people against those by programs on the same items: a matrix per name, whose cells lead to what they count.
import { useMemo, useRef } from "react";
import { Link } from "wouter";
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { Bins } from "../../explorer/use-bins.ts";
import { Notice } from "../../kit/States.tsx";
import { formatCount, formatShare } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Agreements.module.css";
import {
  type AgreementCategory,
  type AgreementTarget,
  agreementLists,
  differenceCondition,
  pairCondition,
} from "./agreement-links.ts";
import { formatScore } from "./annotation-series.ts";
import type { ListLink } from "./list-links.ts";
import { agreements } from "./metrics.queries.ts";
import { useSeen } from "./use-seen.ts";

interface AgreementsProps {
  readonly projectId: string;
  readonly bins: Pick<Bins, "timeRange">;
  readonly link: ListLink;
}

const targets = ["span", "trace", "session"] as const;

export function Agreements({ projectId: id, bins: { timeRange }, link }: AgreementsProps) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place);
  const query = useGraphql(agreements, timeRange && { id, timeRange }, {
    enabled: seen,
    keepPrevious: true,
    live: "slowly",
  });
  const project = projectOf(query.data);
  const found = project === undefined ? [] : targets.flatMap((target) => project[target].map((of) => ({ target, of })));
  return (
    <div ref={place} className={styles.place}>
      {query.error !== null && <Notice tone="error">{query.error.message}</Notice>}
      {found.length > 0 && (
        <section aria-label={text("metrics.agreement")} aria-busy={query.isPlaceholderData}>
          <h2 className={styles.title}>{text("metrics.agreement")}</h2>
          <div className={styles.matrices}>
            {found.map(({ target, of }) => (
              <Matrix key={`${target} ${of.name}`} target={target} agreement={of} link={link} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

interface Agreement {
  readonly name: string;
  readonly categories: readonly AgreementCategory[];
  readonly cells: readonly { readonly people: number; readonly programs: number; readonly count: number }[];
  readonly pairCount: number;
  readonly agreedCount: number;
  readonly omittedPairCount: number;
  readonly kappa: number | null;
}

interface MatrixProps {
  readonly target: AgreementTarget;
  readonly agreement: Agreement;
  readonly link: ListLink;
}

function Matrix({ target, agreement, link }: MatrixProps) {
  const { name, categories, pairCount, agreedCount, omittedPairCount, kappa } = agreement;
  const title = text(`metrics.agreement.of.${target}`, { name });
  const counts = useMemo(
    () => new Map(agreement.cells.map(({ people, programs, count }) => [`${people} ${programs}`, count])),
    [agreement.cells],
  );
  const most = Math.max(1, ...counts.values());
  const words = categories.map(categoryWord);
  const list = agreementLists[target];
  const differences = differenceCondition(target, agreement);
  return (
    <section className={styles.matrix} aria-label={title}>
      <h3 title={title}>{title}</h3>
      <p className={styles.figures}>
        <b>{formatShare(agreedCount / pairCount)}</b> {text("metrics.agreement.share", { count: pairCount })}
        {kappa !== null && (
          <span title={text("metrics.agreement.kappa.hint")}>
            {text("metrics.agreement.kappa", { kappa: formatScore(kappa) })}
          </span>
        )}
        {agreedCount < pairCount && differences !== null && (
          <Link href={link(list, { filter: differences })}>{text("metrics.agreement.disagreements")}</Link>
        )}
      </p>
      {/* A region that may scroll must be reachable by keys. */}
      <section className={styles.scroller} aria-label={text("metrics.agreement.matrix", { name })} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" className={styles.corner}>
                {text("metrics.agreement.corner")}
              </th>
              {words.map((word) => (
                <th key={word} scope="col" title={word}>
                  <bdi>{word}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {words.map((people, row) => (
              <tr key={people}>
                <th scope="row" title={people}>
                  <bdi>{people}</bdi>
                </th>
                {words.map((programs, column) => {
                  const count = counts.get(`${row} ${column}`) ?? 0;
                  return (
                    <td
                      key={programs}
                      data-agrees={row === column || undefined}
                      style={{ "--share": `${Math.round((40 * count) / most)}%` }}
                    >
                      {count === 0 ? (
                        <span className={styles.none}>0</span>
                      ) : (
                        <Link
                          href={link(list, { filter: pairCondition(target, agreement, row, column) })}
                          aria-label={text("metrics.agreement.cell", { people, programs, count: formatCount(count) })}
                        >
                          {formatCount(count)}
                        </Link>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {omittedPairCount > 0 && (
        <p className={styles.note}>{text("metrics.agreement.omitted", { count: omittedPairCount })}</p>
      )}
    </section>
  );
}

function categoryWord({ label, min, max }: AgreementCategory): string {
  if (label !== null) return label;
  return min === max ? formatScore(min) : `${formatScore(min)} – ${formatScore(max)}`;
}
