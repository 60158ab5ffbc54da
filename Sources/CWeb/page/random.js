// Random numbers that depend only on a seed, as SplitMix64 of Sources/Scores/Page/Realization.swift.

const mask = (1n << 64n) - 1n;
const golden = 0x9e3779b97f4a7c15n;

/** The number that comes after `n` others of a seed. */
export function nth(seed, n) {
  let z = (seed + (BigInt(n) + 1n) * golden) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  return z ^ (z >> 31n);
}

/** A list in a random order that depends only on the seed. */
export function shuffled(list, seed) {
  const found = [...list];
  let count = 0;
  const next = () => nth(seed, count++);
  /** A number below a bound, each as likely (Lemire). */
  const below = (bound) => {
    const least = ((1n << 64n) - bound) % bound;
    let product = next() * bound;
    while ((product & mask) < least) product = next() * bound;
    return Number(product >> 64n);
  };
  for (let index = 0, left = found.length; left > 1; index += 1, left -= 1) {
    const other = index + below(BigInt(left));
    [found[index], found[other]] = [found[other], found[index]];
  }
  return found;
}
