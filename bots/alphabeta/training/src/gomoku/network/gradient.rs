//! The loss of a network and its gradient, by backpropagation.

use alphabeta::gomoku::Cell;
use alphabeta::gomoku::network::{
    CELLS, FEATURE_UNIT, FEATURES, HIDDEN, MIXED, PLAIN, TILE, TOP, WINDOW_TOP,
};

use super::model::{Mixed, Model, Row, add, add_times, row, row_mut};
use crate::gomoku::loss::{Loss, logistic, nats};
use crate::gomoku::samples::TrainingPosition;

/// The weight of the loss of a choice; the loss of a value has weight 1.
const CHOICE: f32 = 0.5;

const MOST: f32 = TOP as f32 / FEATURE_UNIT as f32;
const TOP_OF_WINDOW: f32 = WINDOW_TOP as f32 / FEATURE_UNIT as f32;

pub struct Gradient {
    pub loss: Loss,
    /// The gradient for each number of the model except those of the tables.
    pub numbers: Vec<f32>,
    /// The gradient for each row of the tables.
    pub tables: Vec<Vec<Row>>,
    /// For each view, the sums of the inputs of the head, and the number of positions.
    inputs: Vec<(Row, f32)>,
}

impl Gradient {
    pub fn of(model: &Model, positions: &[&TrainingPosition]) -> Gradient {
        let mut gradient = Gradient {
            loss: Loss::default(),
            numbers: vec![0.0; model.numbers.len()],
            tables: model
                .tables
                .iter()
                .map(|table| vec![[0.0; FEATURES]; table.len()])
                .collect(),
            inputs: vec![([0.0; FEATURES], 0.0); model.views],
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

    /// Returns the mean inputs of the head in each view that has positions.
    pub fn means(&self) -> Vec<(usize, Row)> {
        let views = self.inputs.iter().enumerate();
        views
            .filter(|(_, (_, count))| *count > 0.0)
            .map(|(view, (sums, count))| (view, sums.map(|sum| sum / count)))
            .collect()
    }

    /// Returns the mean gradient over the positions for each number.
    pub fn slopes(mut self, model: &Model) -> Vec<f32> {
        let end = model.places.end;
        for (view, table) in self.tables.iter().enumerate() {
            model.spread(view, table, &mut self.numbers[view * end..(view + 1) * end]);
        }
        let count = self.loss.count() as f32;
        for one in &mut self.numbers {
            *one /= count;
        }
        self.numbers
    }

    pub fn plus(mut self, more: &Gradient) -> Gradient {
        self.loss += more.loss;
        for (one, two) in self.numbers.iter_mut().zip(&more.numbers) {
            *one += two;
        }
        for ((sums, count), (more, number)) in self.inputs.iter_mut().zip(&more.inputs) {
            add(sums, more);
            *count += number;
        }
        for (into, from) in self.tables.iter_mut().zip(&more.tables) {
            for (one, two) in into.iter_mut().zip(from) {
                add(one, two);
            }
        }
        self
    }
}

#[inline(never)]
fn activate(sums: &Row) -> Row {
    let mut features = *sums;
    for one in &mut features[..PLAIN] {
        *one = one.clamp(0.0, MOST);
    }
    for one in &mut features[PLAIN..] {
        *one = one.clamp(-MOST, MOST);
    }
    features
}

/// Sets the slope to 0 where the feature is clamped.
#[inline(never)]
fn let_through(slopes: &mut Row, sums: &Row) {
    for (one, &sum) in slopes[..PLAIN].iter_mut().zip(sums) {
        *one = if sum > 0.0 && sum < MOST { *one } else { 0.0 };
    }
    for (one, &sum) in slopes[PLAIN..].iter_mut().zip(&sums[PLAIN..]) {
        *one = if sum > -MOST && sum < MOST { *one } else { 0.0 };
    }
}

fn mixed(features: &Row) -> &Mixed {
    features[PLAIN..].first_chunk().expect("as many")
}

fn mixed_mut(features: &mut Row) -> &mut Mixed {
    features[PLAIN..].first_chunk_mut().expect("as many")
}

struct CellPass {
    /// The row of each direction.
    rows: [u16; 4],
    tile: usize,
    sums: Row,
    features: Row,
    /// The gradient of the loss with respect to each sum.
    slopes: Row,
}

/// The computation of one position, forwards and backwards.
struct Pass<'a> {
    model: &'a Model,
    position: &'a TrainingPosition,
    view: usize,
    cells: Vec<CellPass>,
    /// The number in `cells` of each empty cell.
    place: &'a mut [u16],
    /// The number of tiles along a side of the board.
    across: usize,
}

/// The value of a position, and what led to it.
struct Value {
    /// The sums over each window before they are clamped.
    windows: Vec<Mixed>,
    inputs: Row,
    hidden: [f32; HIDDEN],
    odds: f32,
}

impl<'a> Pass<'a> {
    fn of(model: &'a Model, position: &'a TrainingPosition, place: &'a mut [u16]) -> Pass<'a> {
        let mover = position.mover();
        let view = if model.views == 1 { 0 } else { mover };
        let across = position.size().div_ceil(TILE);
        let (lines, all) = position.lines();
        let mut cells = Vec::with_capacity(256);
        for cell in all.filter(|&cell| lines.is_empty(cell)) {
            let rows = [0, 1, 2, 3]
                .map(|direction| model.line_rows.of(&lines, cell, direction, mover) as u16);
            let mut sums = model.biases[view];
            for row in rows {
                add(&mut sums, &model.tables[view][usize::from(row)]);
            }
            let square = cell.square();
            let [row, column] = [square.row(), square.column()].map(usize::from);
            place[cell.index()] = cells.len() as u16;
            cells.push(CellPass {
                rows,
                tile: row / TILE * across + column / TILE,
                features: activate(&sums),
                sums,
                slopes: [0.0; FEATURES],
            });
        }
        Pass {
            model,
            position,
            view,
            cells,
            place,
            across,
        }
    }

    fn numbers<'b>(&self, gradient: &'b mut Gradient) -> (&'a [f32], &'b mut [f32]) {
        let end = self.model.places.end;
        let range = self.view * end..(self.view + 1) * end;
        (
            &self.model.numbers[range.clone()],
            &mut gradient.numbers[range],
        )
    }

    /// Returns the tiles of each window.
    fn windows(&self) -> impl Iterator<Item = [usize; 4]> + use<> {
        let across = self.across;
        let first = (0..(across - 1).pow(2))
            .map(move |number| number / (across - 1) * across + number % (across - 1));
        first.map(move |first| [first, first + 1, first + across, first + across + 1])
    }

    /// Adds in the order of the bot ([`Accumulators`](alphabeta::gomoku::network::Accumulators)), so that the sums agree.
    fn evaluate(&self) -> Value {
        let p = &self.model.places;
        let numbers = &self.model.numbers[self.view * p.end..];
        let mut inputs = [0.0; FEATURES];
        let mut tiles = vec![[0.0; MIXED]; self.across.pow(2)];
        for cell in &self.cells {
            add(&mut inputs, &cell.features);
            add(&mut tiles[cell.tile], mixed(&cell.features));
        }
        let mut windows = Vec::with_capacity(64);
        let mut sums = [0.0; MIXED];
        for of_window in self.windows() {
            let mut window = self.model.windows[self.view];
            for tile in of_window {
                add(&mut window, &tiles[tile]);
            }
            add(&mut sums, &window.map(|sum| sum.clamp(0.0, TOP_OF_WINDOW)));
            windows.push(window);
        }
        *mixed_mut(&mut inputs) = sums;
        let mut inputs = inputs.map(|sum| sum / CELLS as f32);
        for (input, usual) in inputs.iter_mut().zip(&numbers[p.usual.clone()]) {
            *input -= usual;
        }

        let threats = p.threats.start + usize::from(self.position.threats) * HIDDEN;
        let mut hidden: [f32; HIDDEN] =
            std::array::from_fn(|at| numbers[threats + at] + numbers[p.neurons.start + at]);
        let (weights, _) = numbers[p.hidden.clone()].as_chunks::<HIDDEN>();
        let mut odds = numbers[p.begin];
        for ((&sum, row), direct) in inputs.iter().zip(weights).zip(&numbers[p.direct.clone()]) {
            add_times(&mut hidden, sum, row);
            odds += sum * direct;
        }
        for (neuron, weight) in hidden.iter().zip(&numbers[p.output.clone()]) {
            odds += neuron.max(0.0) * weight;
        }
        Value {
            windows,
            inputs,
            hidden,
            odds,
        }
    }

    /// Adds the loss of the value and its gradient, if the position has a target.
    fn value(&mut self, gradient: &mut Gradient) {
        let Some(target) = self.position.target else {
            return;
        };
        let value = self.evaluate();
        gradient.loss.add_value(value.odds, target);
        let p = &self.model.places;
        let (inputs, count) = &mut gradient.inputs[self.view];
        add(inputs, &value.inputs);
        *count += 1.0;
        add(
            inputs,
            row(&self.model.numbers, self.view * p.end + p.usual.start),
        );
        let (numbers, into) = self.numbers(gradient);
        let (weights, _) = numbers[p.hidden.clone()].as_chunks::<HIDDEN>();
        let direct = &numbers[p.direct.clone()];
        let error = logistic(value.odds) - target;
        into[p.begin] += error;
        let threats = p.threats.start + usize::from(self.position.threats) * HIDDEN;
        let mut back = [0.0; HIDDEN];
        let active = value
            .hidden
            .iter()
            .enumerate()
            .filter(|(_, sum)| **sum > 0.0);
        for (neuron, &sum) in active {
            into[p.output.start + neuron] += error * sum;
            back[neuron] = error * numbers[p.output.start + neuron];
            into[threats + neuron] += back[neuron];
            into[p.neurons.start + neuron] += back[neuron];
        }
        let mut slopes = [0.0; FEATURES];
        for (at, (&sum, row)) in value.inputs.iter().zip(weights).enumerate() {
            into[p.direct.start + at] += error * sum;
            let own = &mut into[p.hidden.start + at * HIDDEN..];
            add_times(own.first_chunk_mut().expect("a row is full"), sum, &back);
            let slope: f32 = back.iter().zip(row).map(|(one, two)| one * two).sum();
            slopes[at] = (slope + error * direct[at]) / CELLS as f32;
        }
        let mut tiles = vec![[0.0; MIXED]; self.across.pow(2)];
        for (of_window, sums) in self.windows().zip(&value.windows) {
            let mut slope = *mixed(&slopes);
            for (one, &sum) in slope.iter_mut().zip(sums) {
                *one = if sum > 0.0 && sum < TOP_OF_WINDOW {
                    *one
                } else {
                    0.0
                };
            }
            add(
                into[p.window.start..]
                    .first_chunk_mut()
                    .expect("a row is full"),
                &slope,
            );
            for tile in of_window {
                add(&mut tiles[tile], &slope);
            }
        }
        for cell in &mut self.cells {
            cell.slopes = slopes;
            *mixed_mut(&mut cell.slopes) = tiles[cell.tile];
        }
    }

    /// Returns the log-odds of the candidates.
    fn promises(&self) -> Vec<f32> {
        let moves = &self.model.moves[self.view];
        let promise = |cell: &Cell| {
            let features = &self.cells[usize::from(self.place[cell.index()])].features;
            features.iter().zip(moves).map(|(one, two)| one * two).sum()
        };
        self.position.choice.iter().map(promise).collect()
    }

    /// Adds the loss of the choice among the candidates and its gradient, if there is a choice.
    fn choice(&mut self, gradient: &mut Gradient) {
        let choice = &self.position.choice;
        if choice.is_empty() {
            return;
        }
        let odds = self.promises();
        let loss = nats(&odds);
        let begin = self.model.places.moves.start;
        let (_, into) = self.numbers(gradient);
        let moves = &self.model.moves[self.view];
        for (number, (cell, one)) in choice.iter().zip(&odds).enumerate() {
            let place = usize::from(self.place[cell.index()]);
            let played = if number == 0 { 1.0 } else { 0.0 };
            let error = CHOICE * ((one - odds[0] - loss).exp() - played);
            let seen = &mut self.cells[place];
            add_times(row_mut(into, begin), error, &seen.features);
            add_times(&mut seen.slopes, error, moves);
        }
        gradient
            .loss
            .add_choice(loss, odds.iter().all(|&one| one <= odds[0]));
    }

    fn back(mut self, gradient: &mut Gradient) {
        let mut bias = [0.0; FEATURES];
        let table = &mut gradient.tables[self.view];
        for cell in &mut self.cells {
            let_through(&mut cell.slopes, &cell.sums);
            for row in cell.rows {
                add(&mut table[usize::from(row)], &cell.slopes);
            }
            add(&mut bias, &cell.slopes);
        }
        let begin = self.model.places.bias.start;
        let (_, into) = self.numbers(gradient);
        add(row_mut(into, begin), &bias);
    }
}

#[cfg(test)]
mod tests {
    use alphabeta::gomoku::SearchBoard;
    use alphabeta::gomoku::network::{Accumulators, Network};
    use games::gomoku::{GomokuBoard, Rule};
    use games::{Game, Move, Rules};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use crate::gomoku::loss::UNIT;
    use crate::gomoku::samples::read_positions;

    use super::*;

    fn positions(size: u8, rule: Rule, game: &str) -> Vec<TrainingPosition> {
        let read = read_positions(Game::gomoku(size, rule), game, 1);
        read.expect("a game").0
    }

    /// Returns a line of a games file: random moves, all of them with the score 50.
    fn random_game(size: u8, rule: Rule, random: &mut ChaCha8Rng) -> String {
        let mut board = GomokuBoard::new(size, rule);
        let mut moves = Vec::new();
        while board.ending().is_none() && moves.len() < 60 {
            let legal = board.legal_squares();
            let played = Move::Place(legal[(random.next_u64() % legal.len() as u64) as usize]);
            board.play(played).expect("a legal move");
            moves.push(played);
        }
        let scores = vec!["50"; moves.len()].join(",");
        format!("{} 0 black {scores}\n", games::format_transcript(&moves))
    }

    /// A model whose numbers are all random, so that every part of the network matters.
    fn random_model(rule: Rule, random: &mut ChaCha8Rng) -> Model {
        let mut model = Model::new(rule, random);
        let numbers = model.numbers.clone().into_iter().map(|number| {
            let part = (random.next_u64() >> 40) as f32 / (1 << 24) as f32;
            number + 0.3 * (part - 0.5)
        });
        let numbers: Vec<f32> = numbers.collect();
        model.set(&numbers).expect("as many numbers");
        model
    }

    #[test]
    fn the_bot_computes_the_same_values_and_promises() {
        for (size, rule) in [
            (15, Rule::Freestyle),
            (22, Rule::Standard),
            (9, Rule::Renju),
        ] {
            let mut random = ChaCha8Rng::seed_from_u64(u64::from(size));
            let model = random_model(rule, &mut random);
            let network: &'static Network = Box::leak(Box::new(Network::new(model.views())));
            let network = Network::decode(&network.encode()).expect("a network");
            let network: &'static Network = Box::leak(Box::new(network));
            let mut compared = 0;
            for _ in 0..10 {
                let game = random_game(size, rule, &mut random);
                for position in positions(size, rule, &game) {
                    let mut place = vec![0; Cell::COUNT];
                    let pass = Pass::of(&model, &position, &mut place);
                    let mut board = SearchBoard::new(size, rule);
                    let mut all = Accumulators::new(network, &board);
                    for &stone in position.stones() {
                        all.play(stone, board.side_to_move().index());
                        board.play(stone);
                    }
                    let mover = position.mover();
                    let odds = all.odds(mover, position.threats);
                    assert_eq!(odds.to_bits(), pass.evaluate().odds.to_bits());
                    let promises = pass.promises();
                    for (&cell, promise) in position.choice.iter().zip(promises) {
                        assert_eq!(all.promise(mover, cell), (promise * UNIT) as i32);
                    }
                    compared += position.choice.len();
                }
            }
            assert!(compared > 1000, "{compared}");
        }
    }

    const GAME: &str = "f5e6g5d5f3f4g4d7g6 4 black 12,-30,250,-700,29990\n";

    fn loss(model: &Model, positions: &[&TrainingPosition]) -> f64 {
        let loss = Gradient::of(model, positions).loss;
        (loss.value() + f64::from(CHOICE) * loss.choice()) / f64::from(loss.count())
    }

    /// Changes some of the numbers by small steps: the loss must change as the gradient predicts.
    #[test]
    fn the_gradient_is_how_the_loss_changes() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let mut random = ChaCha8Rng::seed_from_u64(5);
            let mut model = random_model(rule, &mut random);
            model.refine();
            let positions = positions(9, rule, GAME);
            let positions: Vec<&TrainingPosition> = positions.iter().collect();
            assert!(positions.iter().any(|one| one.target.is_some()));
            let slopes = Gradient::of(&model, &positions).slopes(&model);
            let steep = slopes.iter().enumerate();
            let steep = steep.filter(|(_, slope)| slope.abs() > 0.01);
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
                let step = 5e-4;
                let change = (at_step(step) - at_step(-step)) / f64::from(2.0 * step);
                let slope = f64::from(slope);
                // The tolerance covers rounding, and steps across the limits of a feature or window.
                assert!(
                    (change - slope).abs() < 0.1 * slope.abs() + 0.005,
                    "{at}: {change}, {slope}"
                );
            }
        }
    }
}
