/** The record: shares of what was counted, with where the true ones most likely lie. */

import { expect, test } from "vitest";

import { shareOf } from "../../src/record/share";

const rounded = (count: number, all: number) => Object.values(shareOf(count, all)).map((each) => Number((each as number).toFixed(3)));

test("a share lies within its range, and the range within what is possible", () => {
  expect(rounded(13, 20)).toEqual([0.65, 0.433, 0.819]);
  expect(rounded(0, 20)).toEqual([0, 0, 0.161]);
  expect(rounded(20, 20)).toEqual([1, 0.839, 1]);
});

test("the more was counted, the narrower the range", () => {
  const widths = [10, 100, 1000].map((all) => shareOf(all / 2, all)).map(({ low, high }) => high - low);
  expect(widths).toEqual([...widths].sort((one, other) => other - one));
});

test("where nothing was counted everything is possible", () => {
  expect(shareOf(0, 0)).toEqual({ share: 0, low: 0, high: 1 });
});
