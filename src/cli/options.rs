//! The options that subcommands share. Options about games override the tournament file.

use clap::Args;
use games::Game;
use referee::problem;
use toml::Spanned;

use message::{Lang, speak};
use tournament::{BotFile, Placed, Problem, SandboxChoice, TimeControl, TournamentFile, given};

/// The size and rules of a game.
#[derive(Clone, Debug, Default, Args)]
pub struct BoardOptions {
    /// Side of the board; gomoku: 5 to 22
    #[arg(long, value_name = "N")]
    pub size: Option<i64>,
    /// Gomoku: freestyle, standard, renju or caro
    #[arg(long)]
    pub rules: Option<String>,
}

impl BoardOptions {
    pub fn game(&self, name: &str) -> Result<Game, Problem> {
        Game::new(name, self.rules.as_deref(), self.size).map_err(Problem::new)
    }

    pub fn tournament<S: AsRef<str>>(
        self,
        game: String,
        bots: &[S],
    ) -> Result<TournamentFile, Problem> {
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

#[derive(Clone, Copy, Debug, Default, Args)]
pub struct GameCount {
    /// Games per pairing; even, because every opening is played with both colours
    #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
    games: Option<i64>,
}

impl GameCount {
    pub fn apply(self, file: &mut TournamentFile) {
        if self.games.is_some() {
            file.games = given(self.games);
        }
    }
}

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
    /// Gomoku: the rule by which the players agree on the first stones and on their colours: swap, swap2,
    /// soosyrv-8, taraguchi-10 or rif
    #[arg(long, value_name = "RULE")]
    pub opening: Option<String>,
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
    pub sandbox: SandboxOption,
}

/// The sandboxes in which bots are built and play.
#[derive(Clone, Debug, Default, Args)]
pub struct SandboxOption {
    /// How bots are isolated: strict, standard, off, or auto, the best tier that the machine supports; arena
    /// sandbox explains the tiers
    #[arg(long, value_name = "TIER", value_parser = SandboxChoice::NAMES)]
    pub sandbox: Option<String>,
}

impl SandboxOption {
    pub fn apply(&self, file: &mut TournamentFile) {
        if self.sandbox.is_some() {
            file.sandbox = given(self.sandbox.clone());
        }
    }
}

impl GameOptions {
    pub fn apply(&self, file: &mut TournamentFile) {
        let control = TimeControl {
            move_ms: self.move_ms,
            game_ms: self.game_ms,
            increment_ms: self.increment_ms,
            period_moves: None,
        };
        control.amend(file);
        put(self.margin_ms.as_ref(), &mut file.margin_ms);
        put(self.concurrency.as_ref(), &mut file.concurrency);
        put(self.seed.as_ref(), &mut file.seed);
        put(self.opening.as_ref(), &mut file.opening);
        put(self.opening_plies.as_ref(), &mut file.opening_plies);
        if let Some(openings) = &self.openings {
            // On the command line, paths are relative to the current folder; in a file, to that file.
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
        self.sandbox.apply(file);
    }
}

/// The conditions of a match that engine developers set on the command line: clocks, limits of the search,
/// adjudication, cores, the anchor of the ratings.
#[derive(Clone, Debug, Default, Args)]
pub struct MatchOptions {
    /// The clock of all bots, or of one: [BOT=][MOVES/]TIME[+INCREMENT], in seconds or minutes:seconds, such
    /// as 40/60+0.6 or slow=5:00; st=5 is 5 s per move. Repeat the option for another bot; BOT is its
    /// name in the tables, or its number
    #[arg(long, value_name = "CONTROL")]
    tc: Vec<String>,
    /// Search depth of every bot, in plies: its option depth
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Search limit of every bot, in nodes: its option nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Let both bots think in the opponent's time
    #[arg(long)]
    ponder: bool,
    /// The number of illegal answers in one turn that loses; before that, the bot is asked again
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    illegal_answers: Option<i64>,
    /// Begin no further game when the bots have reported spending this much
    #[arg(long, value_name = "PRICE", allow_negative_numbers = true)]
    budget: Option<f64>,
    /// End a game when both bots' scores agree on a lead of at least this, in their own units
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    resign_score: Option<f64>,
    /// The number of half-moves in a row for which they must agree (default: 6)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    resign_plies: Option<i64>,
    /// Draw a game when both bots' scores are at most this far from 0, in their own units
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    draw_score: Option<f64>,
    /// The number of half-moves in a row for which both must be this near to 0 (default: 8)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    draw_plies: Option<i64>,
    /// The number of half-moves before which no game is drawn by scores
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    draw_from: Option<i64>,
    /// Draw a game after this many half-moves
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    draw_after: Option<i64>,
    /// Othello: let a solver decide games with at most this many empty squares
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    solve_empties: Option<i64>,
    /// Pin games to these cores, such as 0,2-3
    #[arg(long, value_name = "LIST")]
    cores: Option<String>,
    /// Keep the messages of every game, in the folder logs of the run
    #[arg(long)]
    log: bool,
    /// A bot with a fixed rating; all other ratings are relative to it: random=0
    #[arg(long, value_name = "BOT=ELO")]
    anchor: Option<String>,
}

impl MatchOptions {
    pub fn apply(&self, file: &mut TournamentFile) -> Result<(), Problem> {
        for written in &self.tc {
            let (bot, control) = TimeControl::parse(written)?;
            match bot {
                None => control.apply(file),
                Some(name) => {
                    let bot = named(file, name)?;
                    *bot = Spanned::new(bot.span(), control.of(bot.get_ref().clone()));
                }
            }
        }
        for (key, value) in [("depth", self.depth.map(u64::from)), ("nodes", self.nodes)] {
            if let Some(value) = value {
                file.bot.iter_mut().for_each(|bot| limit(bot, key, value));
            }
        }
        if self.ponder {
            file.ponder = given(Some(true));
        }
        if self.log {
            file.log = given(Some(true));
        }
        put(self.illegal_answers.as_ref(), &mut file.illegal_answers);
        put(self.budget.as_ref(), &mut file.budget);
        put(self.cores.as_ref(), &mut file.core_list);
        put(self.anchor.as_ref(), &mut file.anchor);
        self.adjudicate(file);
        Ok(())
    }

    fn adjudicate(&self, file: &mut TournamentFile) {
        let written = file.adjudicate.clone().map(Spanned::into_inner);
        let mut rules = written.unwrap_or_default();
        let are_given = [
            put(self.resign_score.as_ref(), &mut rules.resign_score),
            put(self.resign_plies.as_ref(), &mut rules.resign_plies),
            put(self.draw_score.as_ref(), &mut rules.draw_score),
            put(self.draw_plies.as_ref(), &mut rules.draw_plies),
            put(self.draw_from.as_ref(), &mut rules.draw_from),
            put(self.draw_after.as_ref(), &mut rules.draw_after),
            put(self.solve_empties.as_ref(), &mut rules.solve_empties),
        ];
        if are_given.contains(&true) {
            file.adjudicate = given(Some(rules));
        }
    }
}

fn put<T: Clone>(option: Option<&T>, key: &mut Placed<T>) -> bool {
    if option.is_some() {
        *key = given(option.cloned());
    }
    option.is_some()
}

fn named<'a>(
    file: &'a mut TournamentFile,
    name: &str,
) -> Result<&'a mut Spanned<BotFile>, Problem> {
    let names: Vec<String> = file
        .bot
        .iter()
        .map(|bot| bot.get_ref().written_name().to_owned())
        .collect();
    let by_number = name
        .parse()
        .ok()
        .and_then(|number: usize| number.checked_sub(1));
    let index = names.iter().position(|known| known == name);
    let index = index.or(by_number.filter(|&index| index < names.len()));
    let known = names.iter().map(String::as_str);
    let index =
        index.ok_or_else(|| problem!("there is no bot {name:?}").did_you_mean(name, known))?;
    Ok(&mut file.bot[index])
}

fn limit(bot: &mut Spanned<BotFile>, key: &str, value: u64) {
    let mut own = bot.get_ref().clone();
    let mut options = own
        .options
        .take()
        .map(Spanned::into_inner)
        .unwrap_or_default();
    let value = toml::Value::Integer(i64::try_from(value).unwrap_or(i64::MAX));
    options.entry(key.to_owned()).or_insert(value);
    own.options = given(Some(options));
    *bot = Spanned::new(bot.span(), own);
}

/// The language of the command: that of the command line, otherwise the system's.
#[derive(Clone, Debug, Default, Args)]
pub struct LanguageOption {
    /// The language: en or zh [default: the system's]
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
}

impl LanguageOption {
    /// Sets the language of all further output.
    pub fn speak(&self) -> Result<&'static Lang, Problem> {
        let lang = self.texts()?;
        speak(lang);
        Ok(lang)
    }

    pub fn asked(&self) -> Result<Option<&'static Lang>, Problem> {
        let known = |code: &String| {
            let unknown = || problem!("there are no texts in {code:?}").help("choose en or zh");
            Lang::of(code).ok_or_else(unknown)
        };
        self.lang.as_ref().map(known).transpose()
    }

    pub fn texts(&self) -> Result<&'static Lang, Problem> {
        let set = |name: &str| std::env::var(name).ok().filter(|code| !code.is_empty());
        if let Some(lang) = self.asked()? {
            return Ok(lang);
        }
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        let set = set.or_else(host::language);
        let known = set.and_then(|code| Lang::of(&code));
        Ok(known.unwrap_or_else(Lang::usual))
    }
}
