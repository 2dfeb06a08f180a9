//! Price levels: points of a pair's curve, with straight lines between them that lie under it.

use firmquote_domain::{Amount, BasisPoints, GoodUntilKind, SwapAmount, U256, U512, narrow};

use crate::{
    PairState, PreparedPair, PricingError, Swap,
    float::{PARTS, lines_needed, lowering, part_in_basis_points, place, shortfall, shortfall_of_concave},
    mirror::certainly_executes_between,
};

/// The shortfall that knots are placed for: 0.25 basis points.
const TARGET_SHORTFALL: f64 = 0.25e-4;

/// The number of intervals in which the curvature is measured before knots are placed.
const MEASURED_INTERVALS: u32 = 16;

/// Points of a curve. For a size between two of them the straight line between them, rounded down, is never more than a
/// quote in the same state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// Cumulative inputs and outputs in base units, both rising. The price from one knot to the next never rises, and
    /// is never above that of the first knot.
    pub knots: Vec<Swap>,
    /// The maximum shortfall of the line compared with a quote, rounded up. In addition, rounding takes less than two
    /// base units of the output.
    pub max_shortfall: BasisPoints,
    /// Whether quotes of every size from the first knot to the last certainly give at least the output of the line, and
    /// for a fixed output take at most its input. Otherwise a verified pool may refuse the correctly rounded amounts of
    /// some size, so that its quote is lower.
    pub is_certain: bool,
}

impl Levels {
    /// Returns the output of the line for `input`, rounded down; `None` outside the knots.
    pub fn output_for(&self, input: Amount) -> Option<Amount> {
        let position = self.knots.partition_point(|knot| knot.input < input);
        let end = self.knots.get(position)?;
        if end.input == input {
            return Some(end.output);
        }
        let start = self.knots.get(position.checked_sub(1)?)?;
        let [rise, width, part] = [
            end.output.checked_sub(start.output)?,
            end.input.checked_sub(start.input)?,
            input.checked_sub(start.input)?,
        ]
        .map(|difference| U512::from(difference.base_units()));
        match narrow(rise * part / width).and_then(Amount::new) {
            Some(risen) => start.output.checked_add(risen),
            None => Some(start.output),
        }
    }
}

impl PreparedPair {
    /// Returns levels for inputs from about `least` to `most`, with at most `max_knots` knots: the fewest with a
    /// shortfall of at most 0.25 basis points, if possible. The first knot is the smallest input from `least` upward
    /// whose output no smaller input has.
    ///
    /// # Errors
    /// Those of [`Self::output_for`]; [`PricingError::Empty`] also if the range is narrower than one base unit of the
    /// output, or if a verified pool executes none of the sizes.
    pub fn levels(
        &self,
        kind: GoodUntilKind,
        [smallest, largest]: [Amount; 2],
        max_knots: usize,
    ) -> Result<Levels, PricingError> {
        let (first, last) = (self.first_knot(smallest)?, self.swap_of(largest)?);
        if first.input > last.input {
            return Err(PricingError::Empty);
        }
        let (points, bend) = self.offered_points(&first, &last, max_knots)?;
        let is_certain =
            kind == GoodUntilKind::Plain || certainly_executes_between(self.state(), &first, &last).unwrap_or(false);
        let mut knots = Vec::with_capacity(points.len());
        let mut lowered = 0.0_f64;
        for point in &points {
            let knot = if is_certain { Ok(*point) } else { self.price(kind, SwapAmount::ExactInput(point.input)) };
            let knot = match knot {
                Ok(knot) => below_line(knots.first().unwrap_or(&knot), &knot),
                Err(PricingError::TooSmall { .. }) => {
                    // The line across this point falls short by more than measured. No line precedes the first knot.
                    lowered = if knots.is_empty() { lowered } else { 1.0 };
                    continue;
                }
                Err(error) => return Err(error),
            };
            // How much a line that ends here is lowered, relative to its smallest output.
            lowered = lowered.max(lowering(point.output, knot.output));
            push_concave(&mut knots, knot);
        }
        if knots.is_empty() {
            return Err(PricingError::Empty);
        }
        Ok(Levels { knots, max_shortfall: part_in_basis_points((bend + lowered).min(1.0)), is_certain })
    }

    /// Returns the smallest input from `smallest` upward whose output no smaller input has, so that exactly this output
    /// costs exactly this input.
    fn first_knot(&self, smallest: Amount) -> Result<Swap, PricingError> {
        let output = match self.offered_output(smallest) {
            Err(PricingError::TooSmall { limit }) => return self.swap_of(limit),
            output => output?,
        };
        if self.offered_input(output)? == smallest {
            return Ok(Swap { input: smallest, output });
        }
        let next = output.checked_add(Amount::ONE).ok_or(PricingError::Empty)?;
        self.swap_of(self.offered_input(next).map_err(|_| PricingError::Empty)?)
    }

    /// Returns points of the offer from `first` to `last`, and the maximum shortfall of the lines between them, as a part of
    /// the offer. As long as its bound applies the offer is a line itself, which ends at a point.
    fn offered_points(&self, first: &Swap, last: &Swap, max_knots: usize) -> Result<(Vec<Swap>, f64), PricingError> {
        let Some(end) = self.end_of_guard(first.input, last.input)? else { return self.points(first, last, max_knots) };
        let mut points = vec![*first];
        if first.input < end {
            points.push(self.swap_of(end)?);
        }
        let start = end.checked_add(Amount::ONE).filter(|start| *start <= last.input);
        let Some(start) = start else { return Ok((points, 0.0)) };
        if max_knots < points.len() + 2 {
            return Ok((vec![*first, *last], shortfall_of_concave(first, last)));
        }
        // There is no size between the two.
        let max_knots = max_knots - points.len();
        let (curved, bend) = self.points(&self.swap_of(start)?, last, max_knots)?;
        points.extend(curved);
        Ok((points, bend))
    }

    /// Returns the largest input from `first` to `last` to which the bound of the offer applies, found by bisection: it
    /// applies up to some input and to none beyond. `None` if it applies to none.
    fn end_of_guard(&self, first: Amount, last: Amount) -> Result<Option<Amount>, PricingError> {
        if !self.is_guarded(first)? {
            return Ok(None);
        }
        if self.is_guarded(last)? {
            return Ok(Some(last));
        }
        let [mut guarded, mut curved] = [first, last].map(Amount::base_units);
        while curved - guarded > U256::ONE {
            let middle = guarded + ((curved - guarded) >> 1);
            let is_guarded = Amount::new(middle).map_or(Ok(true), |input| self.is_guarded(input))?;
            *(if is_guarded { &mut guarded } else { &mut curved }) = middle;
        }
        Ok(Amount::new(guarded))
    }

    /// Returns points of the curve from `first` to `last`, and the maximum shortfall of the lines between them, as a
    /// part of the curve.
    fn points(&self, first: &Swap, last: &Swap, max_knots: usize) -> Result<(Vec<Swap>, f64), PricingError> {
        let scale = RootScale::new(first.input, last.input);
        let with_ends = |inputs: &mut dyn Iterator<Item = Amount>| {
            let inner = inputs.filter(|input| first.input < *input && *input < last.input);
            let mut points = vec![*first];
            for input in inner {
                points.push(self.swap_of(input)?);
            }
            if first.input < last.input {
                points.push(*last);
            }
            Ok::<_, PricingError>(points)
        };
        let measured = with_ends(&mut (1..MEASURED_INTERVALS).filter_map(|interval| scale.input(interval, 0)))?;
        let max_lines = max_knots.saturating_sub(1).max(1);
        let bends = shortfalls(self.state(), &measured);
        let mut lines = lines_needed(&bends, TARGET_SHORTFALL).min(max_lines);
        loop {
            let ends = place(&bends, lines);
            let points = with_ends(&mut ends.into_iter().filter_map(|(interval, part)| scale.input(interval, part)))?;
            let worst = shortfalls(self.state(), &points).into_iter().fold(0.0, f64::max);
            if worst <= TARGET_SHORTFALL || lines == max_lines {
                return Ok((points, worst));
            }
            lines += 1;
        }
    }

    fn swap_of(&self, input: Amount) -> Result<Swap, PricingError> {
        Ok(Swap { input, output: self.offered_output(input)? })
    }
}

fn shortfalls(pair: &PairState, points: &[Swap]) -> Vec<f64> {
    points.iter().zip(points.iter().skip(1)).map(|(start, end)| shortfall(pair, start, end)).collect()
}

/// Inputs whose square roots are evenly spaced. Where the curvature is even, lines between them fall short about
/// equally.
struct RootScale {
    start: U256,
    width: U256,
}

impl RootScale {
    fn new(smallest: Amount, largest: Amount) -> Self {
        let [start, end] = [smallest, largest].map(|input| input.base_units().root(2));
        Self { start, width: end.saturating_sub(start) }
    }

    /// Returns the input at `part` of [`PARTS`] of an interval.
    fn input(&self, interval: u32, part: u32) -> Option<Amount> {
        let position = U256::from(u64::from(interval) * u64::from(PARTS) + u64::from(part));
        let root = self.start + self.width * position / U256::from(u64::from(MEASURED_INTERVALS) * u64::from(PARTS));
        root.checked_mul(root).and_then(Amount::new)
    }
}

/// Lowers the output of `knot` to that at the price of `first`, rounded down.
fn below_line(first: &Swap, knot: &Swap) -> Swap {
    let [input, output, width] = [knot.input, first.output, first.input].map(|amount| U512::from(amount.base_units()));
    let output =
        narrow(input * output / width).and_then(Amount::new).map_or(knot.output, |output| output.min(knot.output));
    Swap { output, ..*knot }
}

/// Adds `knot`, and removes those before it that lie below or on the line past them: the line is under the curve as
/// well.
fn push_concave(knots: &mut Vec<Swap>, knot: Swap) {
    while let [.., start, middle] = knots.as_slice()
        && is_not_above(start, middle, &knot)
    {
        knots.pop();
    }
    if knots.last().is_none_or(|last| last.input < knot.input && last.output < knot.output) {
        knots.push(knot);
    }
}

/// Whether `middle` is on or below the line from `start` to `end`.
fn is_not_above(start: &Swap, middle: &Swap, end: &Swap) -> bool {
    let rise = |from: &Swap, to: &Swap| U512::from(to.output.base_units().saturating_sub(from.output.base_units()));
    let width = |from: &Swap, to: &Swap| U512::from(to.input.base_units().saturating_sub(from.input.base_units()));
    rise(start, middle) * width(middle, end) <= rise(middle, end) * width(start, middle)
}
