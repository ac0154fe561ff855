// Everything that is known about the prices of a model, to be read.
import { tokenKindWord } from "../../../domain/costs/token-kinds.ts";
import { Button } from "../../../kit/Button.tsx";
import { Dialog } from "../../../kit/Dialog.tsx";
import { Facts } from "../../../kit/Section.tsx";
import { Time } from "../../../kit/Time.tsx";
import { formatCount } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./ModelDetails.module.css";
import { isOwn } from "./model-columns.tsx";
import type { ListedModel } from "./models.queries.ts";
import { priceText } from "./price-text.ts";
import { hostOf } from "./validity.ts";

interface ModelDetailsProps {
  readonly model: ListedModel;
  /** When newer prices follow these; null where none do. */
  readonly end: string | null;
  /** Null where nothing may be changed. */
  readonly onClone: ((model: ListedModel) => void) | null;
  readonly onClose: () => void;
}

export function ModelDetails({ model, end, onClone, onClose }: ModelDetailsProps) {
  const { name, provider, namePattern, startTime, lastUsedAt, tokenPrices, priceSource } = model;
  const facts = [
    { label: text("models.origin"), value: text(isOwn(model) ? "models.origin.own" : "models.origin.built-in") },
    { label: text("models.provider"), value: provider },
    { label: text("models.pattern"), value: <code>{namePattern}</code> },
    { label: text("models.since"), value: startTime === null ? text("models.always") : <Time at={startTime} /> },
    { label: text("models.until"), value: end === null ? null : <Time at={end} /> },
    { label: text("models.source"), value: priceSource === null ? null : <PriceSource source={priceSource} /> },
    {
      label: text("models.used"),
      value: lastUsedAt === null ? text("models.never") : <Time at={lastUsedAt} relative />,
    },
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.close")}</Button>
          {onClone !== null && <Button onClick={() => onClone(model)}>{text("models.clone")}</Button>}
        </>
      }
    >
      <div className={styles.facts}>
        <Facts facts={facts} />
      </div>
      <table className={styles.prices}>
        <thead>
          <tr>
            <th>{text("costs.kind")}</th>
            <th>{text("models.per-million")}</th>
          </tr>
        </thead>
        <tbody>
          {tokenPrices.flatMap(({ tokenType, kind, costPerMillionTokens, tiers }) => {
            const word = tokenKindWord({ tokenType, isPrompt: kind === "PROMPT" });
            return [
              <tr key={word}>
                <td>{word}</td>
                <td>{priceText(costPerMillionTokens)}</td>
              </tr>,
              ...tiers.map((tier) => (
                <tr key={`${word} ${tier.abovePromptTokens}`} className={styles.tier}>
                  <td>{text("models.tier.from", { count: formatCount(tier.abovePromptTokens) })}</td>
                  <td>{priceText(tier.costPerMillionTokens)}</td>
                </tr>
              )),
            ];
          })}
        </tbody>
      </table>
    </Dialog>
  );
}

function PriceSource({ source }: { readonly source: string }) {
  if (hostOf(source) === null) return source;
  return (
    <a href={source} target="_blank" rel="noopener noreferrer">
      {source}
    </a>
  );
}
