//! The result of a tuning: tuned values, values by iteration (CSV, picture), and the match with the start values.

use std::fmt::Write as _;
use std::path::Path;

use message::{Lang, Message, message};
use serde_json::Value;

use super::Standings;
use super::page::plot::{self, Series};
use super::results::{MatchResults, ParameterResults, TuningResults};
use super::terminal::Grid;
use super::whole_file::{TableError, replace};
use tournament::in_toml;
use tournament::tuning::{NAMES, Parameter, START, TUNED, Tuner};

pub const FILES: [&str; 2] = ["tune.csv", "tune.svg"];
const MOST_POINTS: usize = 1000;
/// The width and the height of a graph in the picture; `NAME` is the height of the line with the option's name.
const GRAPH: [usize; 2] = [640, 240];
const NAME: usize = 24;

#[derive(Clone, Debug)]
pub struct TuningLine {
    tuner: Tuner,
    /// The match of the tuned values against the start values; `None` if none of its games has been played.
    result: Option<MatchResults>,
}

pub fn headline(tuner: &Tuner) -> String {
    let (done, all) = (tuner.iterations(), tuner.tuning().iterations);
    let parameters = tuner.tuning().parameters.iter().zip(tuner.texts());
    let values: Vec<String> = parameters
        .map(|(of, text)| format!("{} {text}", of.name))
        .collect();
    message::spoken().render(&message!("iteration {done}/{all}: {values}"))
}

impl TuningLine {
    pub fn new(tuner: Tuner, standings: &Standings) -> TuningLine {
        let pairing = standings.pairing(TUNED, START);
        let names = [TUNED, START].map(|bot| NAMES[bot]);
        let result = pairing.map(|pairing| MatchResults::of(names, &pairing));
        TuningLine { tuner, result }
    }

    fn rows(&self) -> impl Iterator<Item = (&Parameter, String)> {
        let parameters = self.tuner.tuning().parameters.iter();
        parameters.zip(self.tuner.texts())
    }

    pub fn grid(&self, lang: &Lang) -> Grid {
        let titles = ["parameter", "start", "tuned", "least", "largest", "step"];
        let rows = self.rows().map(|(of, tuned)| {
            let [start, min, max] = [of.start, of.min, of.max].map(|value| of.text(value));
            vec![of.name.clone(), start, tuned, min, max, of.step.to_string()]
        });
        Grid::new(titles, rows.collect(), "parameter", lang)
    }

    pub fn text(&self) -> Vec<Message> {
        let tuning = self.tuner.tuning();
        let (done, all) = (self.tuner.iterations(), tuning.iterations);
        let games = 2 * done * tuning.pairs;
        let mut lines = vec![message!(
            "tuned in {done} of {all} iterations with {games} {games|game|games}"
        )];
        lines.extend(self.result.iter().flat_map(MatchResults::text));
        let options = self.options();
        lines.push(message!("the tuned values: options = {options}"));
        lines
    }

    fn options(&self) -> String {
        let values = self.rows().map(|(of, text)| {
            let number = text.parse().unwrap_or(serde_json::Number::from(0));
            (of.name.clone(), Value::Number(number))
        });
        in_toml(&Value::Object(values.collect()))
    }

    pub(super) fn results(&self) -> TuningResults {
        let (tuning, iterations) = (self.tuner.tuning(), self.tuner.iterations());
        let parameters = tuning.parameters.iter().zip(self.tuner.values());
        let parameters = parameters.map(|(of, &value)| ParameterResults {
            name: of.name.clone(),
            start: of.start,
            value,
            tuned: of.text(value).parse().ok(),
            min: of.min,
            max: of.max,
            step: of.step,
            rate: of.rate,
        });
        TuningResults {
            iterations,
            of_iterations: tuning.iterations,
            games: 2 * iterations * tuning.pairs,
            parameters: parameters.collect(),
            r#match: self.result.clone(),
        }
    }

    pub fn write(&self, run: &Path) -> Result<(), TableError> {
        let [csv, svg] = FILES;
        replace(&run.join(csv), self.csv().as_bytes())?;
        replace(&run.join(svg), self.svg().as_bytes())
    }

    /// Formats every value after each iteration; iteration 0 is the start.
    fn csv(&self) -> String {
        let mut text = "iteration,parameter,value\n".to_owned();
        for (iteration, values) in self.tuner.way().iter().enumerate() {
            for (of, value) in self.tuner.tuning().parameters.iter().zip(values) {
                // An option's name has no commas or quotes, but the name of a placeholder in a command may have them.
                let name = of.name.replace(['"', ',', '\n'], "_");
                let _ = writeln!(text, "{iteration},{name},{value}");
            }
        }
        text
    }

    pub fn svg(&self) -> String {
        let (way, parameters) = (self.tuner.way(), &self.tuner.tuning().parameters);
        let [width, height] = GRAPH;
        let full = parameters.len() * (NAME + height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {full}\" width=\"{width}\" \
             height=\"{full}\"><style>text{{font:12px sans-serif;fill:#333}}.end{{text-anchor:end}}\
             .middle{{text-anchor:middle}}.rule{{stroke:#ddd}}.zero{{stroke:#999}}\
             .line{{fill:none;stroke:#1b6ca8;stroke-width:2}}.title{{font-weight:bold}}</style>\
             <rect width=\"{width}\" height=\"{full}\" fill=\"#fff\"/>"
        );
        let every = way.len().div_ceil(MOST_POINTS);
        for (number, (of, text)) in self.rows().enumerate() {
            let last = way.len() - 1;
            let shown = (0..way.len()).filter(|at| at.is_multiple_of(every) || *at == last);
            let series = Series {
                name: of.name.clone(),
                points: shown.map(|at| (at as f64, way[at][number])).collect(),
            };
            let top = number * (NAME + height);
            let (title, below, name_at) = (plot::escaped(&of.name), top + NAME, top + 16);
            let graph = plot::graph(&of.name, "iteration", "", &[series]);
            let place = format!("<svg y=\"{below}\" width=\"{width}\" height=\"{height}\"");
            let start = of.text(of.start);
            let _ = write!(
                svg,
                "<text x=\"4\" y=\"{name_at}\" class=\"title\">{title}: {start} → {text}</text>{}",
                graph.replacen("<svg", &place, 1)
            );
        }
        svg + "</svg>\n"
    }
}
