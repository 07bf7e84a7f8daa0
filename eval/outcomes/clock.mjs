// Loaded before the program: its clock starts at the day for which the home of the
// requests was written, so that "tomorrow" in a recorded call stays right.
const START = Date.UTC(2026, 10, 18, 15);
const RealDate = Date;
const shift = START - RealDate.now();

class ShiftedDate extends RealDate {
  /** @param {any[]} given */
  constructor(...given) {
    // @ts-expect-error A Date takes from none to seven arguments.
    super(...(given.length === 0 ? [RealDate.now() + shift] : given));
  }
  /** @override */
  static now() {
    return RealDate.now() + shift;
  }
}

// Only a call without `new`, of which the program has none, would differ.
Object.assign(globalThis, { Date: ShiftedDate });
