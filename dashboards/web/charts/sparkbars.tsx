/** A few columns without axes beside a figure: how it came about. What they show stands in the chart with axes, too. */
export interface Sparkbar {
  readonly value: number;
  readonly color: string;
}

const WIDTH = 120;
const HEIGHT = 28;
const GAP = 1;

export function Sparkbars({ bars }: { bars: readonly Sparkbar[] }) {
  const top = Math.max(0, ...bars.map(({ value }) => value));
  const bottom = Math.min(0, ...bars.map(({ value }) => value));
  const scale = top === bottom ? 0 : HEIGHT / (top - bottom);
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map(({ value, color }, index) => (
        <rect
          key={index}
          x={index * step}
          width={step - GAP}
          y={(top - Math.max(0, value)) * scale}
          height={Math.max(value === 0 ? 0 : 0.75, Math.abs(value) * scale)}
          style={{ fill: color }}
        />
      ))}
    </svg>
  );
}

/** Parts of a whole as one bar. */
export function Sharebar({ parts }: { parts: readonly Sparkbar[] }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  let x = 0;
  return (
    <svg class="share" viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ value, color }, index) => {
        const width = whole === 0 ? 0 : (value / whole) * WIDTH;
        x += width;
        return <rect key={index} x={x - width} width={width} y={0} height={8} style={{ fill: color }} />;
      })}
    </svg>
  );
}
