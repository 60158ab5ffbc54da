// The sounds of clicks: those of Sources/CDrone/click.c, line by line. A test compares their samples with the program's.

// For each sound: the partials in Hz and their gains; attack, decay and length in s; where its pitch glides from, and in
// what time.
const descriptions = {
  bar: [[1500, 2950, 4700], [1, 0.35, 0.15], 0.0002, 0.009, 0.06, 1, 1],
  line: [[2400, 3620, 6100], [1, 0.6, 0.2], 0.0002, 0.016, 0.1, 1, 1],
  "count-in": [[900, 2700, 4500], [1, 0.25, 0.05], 0.0002, 0.007, 0.05, 1, 1],
  section: [[1245, 1976, 3136, 5270], [1, 0.8, 0.6, 0.3], 0.0002, 0.045, 0.25, 1, 1],
  beat: [[1120, 2050], [1, 0.2], 0.0003, 0.006, 0.04, 1, 1],
  accent: [[1890, 3990, 5730], [1, 0.7, 0.4], 0.0002, 0.008, 0.055, 1, 1],
  subdivision: [[3500, 5300], [1, 0.6], 0.0002, 0.0025, 0.018, 1, 1],
  warning: [[2050, 4100], [1, 0.15], 0.0005, 0.02, 0.09, 0.3, 0.02],
  run: [[1760, 3520, 5280, 7040], [1, 0.5, 0.3, 0.2], 0.001, 0.15, 0.22, 0.5, 0.08],
  walk: [[587, 1761, 2935], [1, 0.4, 0.2], 0.001, 0.15, 0.28, 2.5, 0.06],
  "warm-up": [[440, 880], [1, 0.6], 0.004, 0.25, 0.36, 0.5, 0.2],
  "cool-down": [[2349, 4698], [1, 0.3], 0.004, 0.25, 0.44, 2, 0.12],
  end: [[784, 988, 1175, 1568], [1, 0.9, 0.8, 0.6], 0.001, 0.16, 0.6, 1, 1],
};

/** The samples of a sound at a frame rate, with a peak of about 1. */
export function clickSamples(name, rate) {
  const [partials, gains, attack, decay, length, bend, bendTime] = descriptions[name] ?? descriptions.bar;
  const release = length * 0.25;
  const value = (t) => {
    const turns = bend === 1 ? t : t + (bend - 1) * bendTime * (1 - Math.exp(-t / bendTime));
    let sum = 0;
    partials.forEach((hertz, n) => {
      // Partials that reach half the rate are left out: they would alias.
      if (hertz * Math.max(bend, 1) < rate / 2) sum += gains[n] * Math.sin(2 * Math.PI * hertz * turns);
    });
    let envelope = Math.exp(-t / decay);
    if (t < attack) envelope *= Math.sin(((Math.PI / 2) * t) / attack) ** 2;
    if (t > length - release) envelope *= Math.sin(((Math.PI / 2) * (length - t)) / release) ** 2;
    return sum * envelope;
  };
  // The peak is that of the oversampled sound, as in the program.
  let phases = 1;
  while (phases * rate < 352800) phases *= 2;
  let peak = 0;
  for (let n = 0; n < length * rate * phases; n += 1) peak = Math.max(peak, Math.abs(value(n / (rate * phases))));
  const samples = new Float32Array(Math.ceil(length * rate) + 1);
  for (let n = 0; n < length * rate; n += 1) samples[n] = value(n / rate) / peak;
  return samples;
}

export const clickNames = Object.keys(descriptions);
