//! The loss of a network and its gradient, by backpropagation.

use alphabeta::gomoku::Cell;
use alphabeta::gomoku::network::{BOTH, CELLS, FEATURES, HIDDEN};

use super::model::{
    Features, NetworkModel, ViewTables, add, add_times, features, let_through, row, row_mut,
};
use crate::gomoku::loss::{Loss, nats};
use crate::gomoku::samples::TrainingPosition;

/// The weight of the loss of a choice; the loss of a value has weight 1.
const CHOICE: f32 = 0.5;

pub struct Gradient {
    pub loss: Loss,
    /// The gradient for each number of the model. Before [`Gradient::slopes`], it is 0 for the numbers of the tables.
    pub numbers: Vec<f32>,
    /// The gradient for each row of the tables. [`Gradient::slopes`] adds it to the numbers of the row's key and shape.
    pub tables: Vec<ViewTables>,
}

impl Gradient {
    pub fn of(model: &NetworkModel, positions: &[TrainingPosition]) -> Gradient {
        let table = |table: &ViewTables| ViewTables {
            own: vec![[0.0; FEATURES]; table.own.len()],
            other: vec![[0.0; FEATURES]; table.other.len()],
        };
        let mut gradient = Gradient {
            loss: Loss::default(),
            numbers: vec![0.0; model.numbers.len()],
            tables: model.tables.iter().map(table).collect(),
        };
        let mut place = vec![0; Cell::COUNT];
        for position in positions {
            let mut pass = Pass::of(model, position, &mut place);
            pass.value(&mut gradient);
            pass.choice(&mut gradient);
            pass.back(&mut gradient);
        }
        gradient
    }

    /// Returns the mean gradient over the positions for each number.
    pub fn slopes(mut self, model: &NetworkModel) -> Vec<f32> {
        let p = &model.places;
        for (view, table) in self.tables.iter().enumerate() {
            let numbers = &mut self.numbers[view * p.end..(view + 1) * p.end];
            let tables = [
                (&table.own, &p.own, &p.own_shapes),
                (&table.other, &p.other, &p.other_shapes),
            ];
            for (of, (slopes, keys, shapes)) in tables.into_iter().enumerate() {
                for (number, slope) in slopes.iter().enumerate() {
                    let shape = model.shapes[view][number][of];
                    add(row_mut(numbers, keys.start + number * FEATURES), slope);
                    add(row_mut(numbers, shapes.start + shape * FEATURES), slope);
                }
            }
        }
        let count = self.loss.count() as f32;
        self.numbers.iter().map(|one| one / count).collect()
    }

    pub fn plus(mut self, more: &Gradient) -> Gradient {
        self.loss += more.loss;
        let add = |into: &mut [f32], from: &[f32]| {
            for (one, two) in into.iter_mut().zip(from) {
                *one += two;
            }
        };
        add(&mut self.numbers, &more.numbers);
        for (into, from) in self.tables.iter_mut().zip(&more.tables) {
            add(into.own.as_flattened_mut(), from.own.as_flattened());
            add(into.other.as_flattened_mut(), from.other.as_flattened());
        }
        self
    }
}

struct CellActivations {
    /// The mover's row and the opponent's row in each direction.
    rows: [[usize; 2]; 4],
    /// The sums in the mover's and in the opponent's view.
    sums: [Features; 2],
    /// The gradient of the loss with respect to each sum.
    slopes: [Features; 2],
}

struct Pass<'a> {
    model: &'a NetworkModel,
    position: &'a TrainingPosition,
    /// The views of the mover and of the opponent; `begin` has the offsets of their numbers.
    views: [usize; 2],
    begin: [usize; 2],
    cells: Vec<CellActivations>,
    place: &'a mut [usize],
}

impl<'a> Pass<'a> {
    fn of(
        model: &'a NetworkModel,
        position: &'a TrainingPosition,
        place: &'a mut [usize],
    ) -> Pass<'a> {
        let mover = position.mover();
        let views = [mover, mover ^ 1].map(|side| if model.views == 1 { 0 } else { side });
        let begin = views.map(|view| view * model.places.end);
        let biases = begin.map(|begin| *row(&model.numbers, begin + model.places.bias.start));
        let [mine, theirs] = views.map(|view| &model.tables[view]);
        let (lines, all) = position.lines();
        let mut cells = Vec::with_capacity(256);
        for cell in all.filter(|&cell| lines.is_empty(cell)) {
            let rows = [0, 1, 2, 3].map(|direction| {
                let keys = lines.keys(model.halves, cell, direction);
                [mover, mover ^ 1].map(|side| usize::from(model.row[keys[side]]))
            });
            let mut sums = biases;
            for [own, other] in rows {
                add(&mut sums[0], &mine.own[own]);
                add(&mut sums[0], &mine.other[other]);
                add(&mut sums[1], &theirs.own[other]);
                add(&mut sums[1], &theirs.other[own]);
            }
            place[cell.index()] = cells.len();
            cells.push(CellActivations {
                rows,
                sums,
                slopes: [[0.0; FEATURES]; 2],
            });
        }
        Pass {
            model,
            position,
            views,
            begin,
            cells,
            place,
        }
    }

    fn numbers<'b>(&self, gradient: &'b mut Gradient) -> (&'a [f32], &'b mut [f32]) {
        let range = self.begin[0]..self.begin[0] + self.model.places.end;
        (
            &self.model.numbers[range.clone()],
            &mut gradient.numbers[range],
        )
    }

    /// Adds the loss of the value and its gradient, if the position has a target.
    fn value(&mut self, gradient: &mut Gradient) {
        let Some(target) = self.position.target else {
            return;
        };
        let p = &self.model.places;
        let mut sums = [[0.0; FEATURES]; 2];
        for one in &self.cells {
            for (sum, own) in sums.iter_mut().zip(&one.sums) {
                add(sum, &features(own));
            }
        }
        let sums: [f32; BOTH] =
            std::array::from_fn(|at| sums[at / FEATURES][at % FEATURES] / CELLS as f32);

        let (numbers, into) = self.numbers(gradient);
        let threats = p.threats.start + usize::from(self.position.threats) * HIDDEN;
        let mut hidden: [f32; HIDDEN] =
            std::array::from_fn(|at| numbers[threats + at] + numbers[p.neurons.start + at]);
        let (weights, _) = numbers[p.hidden.clone()].as_chunks::<HIDDEN>();
        let direct = &numbers[p.direct.clone()];
        let mut odds = self.position.by_patterns + numbers[p.begin];
        for ((sum, row), direct) in sums.iter().zip(weights).zip(direct) {
            for (neuron, weight) in hidden.iter_mut().zip(row) {
                *neuron += sum * weight;
            }
            odds += sum * direct;
        }
        for (neuron, weight) in hidden.iter().zip(&numbers[p.output.clone()]) {
            odds += neuron.max(0.0) * weight;
        }

        let error = 1.0 / (1.0 + (-odds).exp()) - target;
        into[p.begin] += error;
        let mut back = [0.0; HIDDEN];
        for (neuron, &value) in hidden.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            into[p.output.start + neuron] += error * value;
            back[neuron] = error * numbers[p.output.start + neuron];
            into[threats + neuron] += back[neuron];
            into[p.neurons.start + neuron] += back[neuron];
        }
        let mut slopes = [[0.0; FEATURES]; 2];
        for (at, (sum, row)) in sums.iter().zip(weights).enumerate() {
            into[p.direct.start + at] += error * sum;
            let own = &mut into[p.hidden.start + at * HIDDEN..][..HIDDEN];
            let mut slope = error * direct[at];
            for ((one, back), weight) in own.iter_mut().zip(back).zip(row) {
                *one += sum * back;
                slope += back * weight;
            }
            slopes[at / FEATURES][at % FEATURES] = slope / CELLS as f32;
        }
        for one in &mut self.cells {
            one.slopes = slopes;
        }
        gradient.loss.add_value(odds, target);
    }

    /// Adds the loss of the choice among the candidates and its gradient, if there is a choice.
    fn choice(&mut self, gradient: &mut Gradient) {
        let choice = &self.position.choice;
        if choice.is_empty() {
            return;
        }
        let begin = self.model.places.moves.start;
        let (numbers, into) = self.numbers(gradient);
        let moves = [begin, begin + FEATURES].map(|begin| *row(numbers, begin));
        let places: Vec<usize> = choice.iter().map(|cell| self.place[cell.index()]).collect();
        let odds: Vec<f32> = places
            .iter()
            .map(|&place| {
                let products =
                    self.cells[place]
                        .sums
                        .iter()
                        .zip(&moves)
                        .flat_map(|(sums, moves)| {
                            features(sums)
                                .into_iter()
                                .zip(moves)
                                .map(|(one, weight)| one * weight)
                        });
                products.sum()
            })
            .collect();
        let loss = nats(&odds);
        for (number, (place, one)) in places.into_iter().zip(&odds).enumerate() {
            let played = if number == 0 { 1.0 } else { 0.0 };
            let error = CHOICE * ((one - odds[0] - loss).exp() - played);
            let seen = &mut self.cells[place];
            let begin = [begin, begin + FEATURES].into_iter();
            let rows = begin.zip(&moves).zip(&seen.sums).zip(&mut seen.slopes);
            for (((begin, moves), sums), slope) in rows {
                add_times(row_mut(into, begin), error, &features(sums));
                add_times(slope, error, moves);
            }
        }
        gradient
            .loss
            .add_choice(loss, odds.iter().all(|&one| one <= odds[0]));
    }

    fn back(mut self, gradient: &mut Gradient) {
        for one in &mut self.cells {
            for (slope, sums) in one.slopes.iter_mut().zip(&one.sums) {
                let_through(slope, sums);
            }
            let [mine, theirs] = &one.slopes;
            for [own, other] in one.rows {
                add(&mut gradient.tables[self.views[0]].own[own], mine);
                add(&mut gradient.tables[self.views[0]].other[other], mine);
                add(&mut gradient.tables[self.views[1]].own[other], theirs);
                add(&mut gradient.tables[self.views[1]].other[own], theirs);
            }
            for (begin, slope) in self.begin.iter().zip(&one.slopes) {
                let bias = begin + self.model.places.bias.start;
                add(row_mut(&mut gradient.numbers, bias), slope);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::gomoku::Rule;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use crate::gomoku::samples::read_positions;

    use super::*;

    const GAME: &str = "f5e6g5d5f3f4g4d7g6 4 black 12,-30,250,-700,29990\n";

    fn loss(model: &NetworkModel, positions: &[TrainingPosition]) -> f64 {
        let loss = Gradient::of(model, positions).loss;
        (loss.value() + f64::from(CHOICE) * loss.choice()) / f64::from(loss.count())
    }

    /// Changes some of the numbers by small steps: the loss must change as the gradient predicts.
    #[test]
    fn the_gradient_is_how_the_loss_changes() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let mut random = ChaCha8Rng::seed_from_u64(5);
            let mut model = NetworkModel::new(rule, &mut random);
            let read = read_positions(Game::gomoku(9, rule), GAME, 1);
            let (positions, _) = read.expect("a game");
            assert!(positions.iter().any(|one| one.target.is_some()));
            let slopes = Gradient::of(&model, &positions).slopes(&model);
            let steep = slopes
                .iter()
                .enumerate()
                .filter(|(_, slope)| slope.abs() > 0.005);
            let steep: Vec<(usize, f32)> = steep.map(|(at, &slope)| (at, slope)).collect();
            assert!(steep.len() > 300, "{}", steep.len());
            for _ in 0..200 {
                let (at, slope) = steep[(random.next_u64() % steep.len() as u64) as usize];
                let mut at_step = |step: f32| {
                    model.shift(at, step);
                    let loss = loss(&model, &positions);
                    model.shift(at, -step);
                    loss
                };
                let step = 2e-4;
                let change = (at_step(step) - at_step(-step)) / f64::from(2.0 * step);
                let slope = f64::from(slope);
                // The tolerance covers rounding to 24 bits, and steps across the limits 0 and 1.
                assert!(
                    (change - slope).abs() < 0.1 * slope.abs() + 0.003,
                    "{at}: {change}, {slope}"
                );
            }
        }
    }
}
