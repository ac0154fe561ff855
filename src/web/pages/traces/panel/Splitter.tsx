// A line between two parts that can be dragged, and moved by arrows.
import type { KeyboardEvent, PointerEvent } from "react";
import { classes } from "../../../kit/classes.ts";
import styles from "./Splitter.module.css";

interface SplitterProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
  /** Pixels of one unit; null means that the value is percent of the parent's width. */
  readonly unitPx: number | null;
  readonly className: string | undefined;
}

export function Splitter({ label, value, least, most, onChange, unitPx, className }: SplitterProps) {
  const bounded = (next: number) => onChange(Math.round(Math.max(least, Math.min(most, next)) * 10) / 10);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const element = event.currentTarget;
    const unit = unitPx ?? (element.parentElement?.clientWidth ?? 100) / 100;
    const begin = event.clientX;
    element.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => bounded(value + (moved.clientX - begin) / unit);
    const end = () => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    bounded(value + step * (unitPx === null ? 2 : 20));
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(value)}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      className={classes(styles.splitter, className)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
