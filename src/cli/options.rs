//! The options that subcommands share; those of games override the tournament file.

use clap::Args;
use games::Game;
use toml::Spanned;

use tournament::{BotFile, Boxes, Placed, Problem, TournamentFile, given};

/// Which board a game is played on.
#[derive(Clone, Debug, Default, Args)]
pub struct BoardOptions {
    /// Side of the board; gomoku: 5 to 22
    #[arg(long, value_name = "N")]
    pub size: Option<i64>,
    /// Gomoku: freestyle, standard or renju
    #[arg(long)]
    pub rules: Option<String>,
}

impl BoardOptions {
    /// The game `name` on this board.
    pub fn game(&self, name: &str) -> Result<Game, Problem> {
        Game::new(name, self.rules.as_deref(), self.size).map_err(Problem::new)
    }

    /// A tournament of these bots, at `game` on this board.
    pub fn bout<S: AsRef<str>>(self, game: String, bots: &[S]) -> Result<TournamentFile, Problem> {
        let bot = |word: &S| BotFile::from_word(word.as_ref()).map(|bot| Spanned::new(0..0, bot));
        Ok(TournamentFile {
            game: given(Some(game)),
            size: given(self.size),
            rules: given(self.rules),
            bot: bots.iter().map(bot).collect::<Result<_, _>>()?,
            ..TournamentFile::default()
        })
    }
}

/// How many games are played.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct GameCount {
    /// Games per pairing; even, because every opening is played with both colours
    #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
    games: Option<i64>,
}

impl GameCount {
    /// Overrides the file with the options of the command line.
    pub fn apply(self, file: &mut TournamentFile) {
        if self.games.is_some() {
            file.games = given(self.games);
        }
    }
}

/// How games are played.
#[derive(Clone, Debug, Default, Args)]
pub struct GameOptions {
    /// Limit of one move in ms (0: none)
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub move_ms: Option<i64>,
    /// Limit of the whole game in ms (0: none)
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub game_ms: Option<i64>,
    /// Time added to the game's clock after every move, in ms
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub increment_ms: Option<i64>,
    /// Tolerance added to every time limit, in ms
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub margin_ms: Option<i64>,
    /// Games played at a time, one core each
    #[arg(long, short = 'j', value_name = "N", allow_negative_numbers = true)]
    pub concurrency: Option<i64>,
    /// Seed of every random choice of the run
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// A file with one transcript, Gomocup offsets or Othello position (OBF) per line, or with games in
    /// GGF, SGF, PSQ or WTHOR; "none" for the start position
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// Play only the first half-moves of each opening
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub opening_plies: Option<i64>,
    /// Shuffle the openings, by the seed
    #[arg(long)]
    pub shuffle: bool,
    /// Turn and mirror repeated openings
    #[arg(long)]
    pub symmetries: bool,
    /// Do not pin games to cores
    #[arg(long)]
    pub no_pin: bool,
    #[command(flatten)]
    pub boxes: BoxOption,
}

/// In which boxes bots are built and play.
#[derive(Clone, Debug, Default, Args)]
pub struct BoxOption {
    /// How bots are kept from the machine and each other: strict, standard, off, or auto, the best that the
    /// machine can do; arena sandbox explains
    #[arg(long, value_name = "TIER", value_parser = Boxes::NAMES)]
    pub sandbox: Option<String>,
}

impl BoxOption {
    /// Overrides the file with the option of the command line.
    pub fn apply(&self, file: &mut TournamentFile) {
        if self.sandbox.is_some() {
            file.sandbox = given(self.sandbox.clone());
        }
    }
}

impl GameOptions {
    /// Overrides the file with the options of the command line.
    pub fn apply(&self, file: &mut TournamentFile) {
        fn put<T: Clone>(value: Option<&T>, place: &mut Placed<T>) {
            if let Some(value) = value {
                *place = given(Some(value.clone()));
            }
        }
        put(self.move_ms.as_ref(), &mut file.move_ms);
        put(self.game_ms.as_ref(), &mut file.game_ms);
        put(self.increment_ms.as_ref(), &mut file.increment_ms);
        put(self.margin_ms.as_ref(), &mut file.margin_ms);
        put(self.concurrency.as_ref(), &mut file.concurrency);
        put(self.seed.as_ref(), &mut file.seed);
        put(self.opening_plies.as_ref(), &mut file.opening_plies);
        if let Some(openings) = &self.openings {
            // Paths of the file are relative to the file, paths of the command line to the current folder.
            let path = std::path::absolute(openings)
                .ok()
                .filter(|_| openings != "none");
            let path = path.and_then(|path| path.to_str().map(str::to_owned));
            file.openings = given(Some(path.unwrap_or_else(|| openings.clone())));
        }
        if self.shuffle {
            file.order = given(Some("shuffled".to_owned()));
        }
        if self.symmetries {
            file.symmetries = given(Some(true));
        }
        if self.no_pin {
            file.pin = given(Some(false));
        }
        self.boxes.apply(file);
    }
}
