/** A share of what was counted, and where the true one most likely lies. */

/** How many standard deviations hold 95 of 100. */
const REACH = 1.96;

export interface Share {
  share: number;
  low: number;
  high: number;
}

/** By Wilson’s score, which stays between 0 and 1 and is right for few, too. */
export function shareOf(count: number, all: number): Share {
  if (all === 0) return { share: 0, low: 0, high: 1 };
  const share = count / all;
  const square = REACH * REACH;
  const middle = (share + square / (2 * all)) / (1 + square / all);
  const reach = (REACH * Math.sqrt((share * (1 - share)) / all + square / (4 * all * all))) / (1 + square / all);
  return { share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}
