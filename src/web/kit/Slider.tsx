// A number between two bounds. The arrow keys move by a hundredth of the way, Home and End go to the bounds. Until it is moved there
// is no value.
import { useId } from "react";
import styles from "./Slider.module.css";

interface SliderProps {
  readonly label: string;
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  /** What stands for no value. */
  readonly none: string;
  readonly onChange: (value: number) => void;
}

export function Slider({ label, value, min, max, none, onChange }: SliderProps) {
  const id = useId();
  const step = stepOf(min, max);
  const middle = (min + max) / 2;
  // Bounds stay as they are, whatever the step; everything between is a round number.
  const move = (wanted: number) => {
    if (wanted <= min) onChange(min);
    else if (wanted >= max) onChange(max);
    else onChange(Number((Math.round(wanted / step) * step).toPrecision(12)));
  };
  return (
    <div className={styles.slider}>
      <label htmlFor={id} className={styles.label}>
        {label}
        <output htmlFor={id} className={value === null ? styles.none : styles.value}>
          {value ?? none}
        </output>
      </label>
      <input
        id={id}
        type="range"
        className={value === null ? styles.unset : undefined}
        min={min}
        max={max}
        step="any"
        value={value ?? middle}
        aria-valuetext={value === null ? none : String(value)}
        onChange={(event) => move(event.target.valueAsNumber)}
        onKeyDown={(event) => {
          const ways: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
          const way = ways[event.key];
          if (way === undefined) return;
          event.preventDefault();
          move((value ?? middle) + way * step);
        }}
      />
      <span className={styles.bounds} aria-hidden="true">
        <span>{min}</span>
        <span>{max}</span>
      </span>
    </div>
  );
}

/** The power of ten by which a hundred steps or more lead from one bound to the other. */
function stepOf(min: number, max: number): number {
  return 10 ** Math.floor(Math.log10((max - min) / 100));
}
