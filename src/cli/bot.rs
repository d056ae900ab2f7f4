use message::{Message, message};
use referee::problem;
use std::io;

use clap::builder::ValueParser;
use clap::{Arg, Args, CommandFactory, Parser};
use protocol::engine_server::{NotSpoken, Setting, speak};

use super::{CliError, usage};
use referee::bot::BotOption;
use tournament::{Problem, argument};

pub const ALPHABETA: &str = "alphabeta";

/// Run a built-in bot on standard input and output, in the arena's protocol or another
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct Bot {
    /// The bot's name; arena bots lists the names
    #[arg(required_unless_present = "help")]
    name: Option<String>,
    /// Print help; after a name, the options of that bot
    #[arg(short, long)]
    help: bool,
    /// The bot's options, such as --depth 3, and --protocol gomocup|gtp|nboard|botzone for programs other than the
    /// arena; arena bot NAME --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// A command line with only the options of one bot.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct OptionsOf<T: Args> {
    #[command(flatten)]
    options: T,
}

/// The options of this bot, and its protocol
#[derive(Debug, Parser)]
#[command(name = "arena bot NAME", no_binary_name = true)]
pub(super) struct CommandLine<T: Args> {
    #[command(flatten)]
    options: T,
    #[command(flatten)]
    setting: Setting,
}

pub fn names_file(option: &Arg) -> bool {
    option.get_value_parser().type_id() == ValueParser::path_buf().type_id()
}

pub fn option_names<T: Args>(is_meant: fn(&Arg) -> bool) -> Vec<String> {
    let command = OptionsOf::<T>::command();
    command
        .get_arguments()
        .filter(|option| is_meant(option))
        .filter_map(|option| option.get_long().map(str::to_owned))
        .collect()
}

/// Checks the options of the built-in bot `name`, so that a wrong value is a usage error and not a failure of the bot.
pub fn check_options(name: &str, options: &[BotOption]) -> Result<(), Problem> {
    use alphabeta::{BadOption, SearchLimits};
    let refused = |what: Message| problem!("{name}: {what}");
    if name == ALPHABETA {
        let OptionsOf { options } = read_options::<alphabeta::Options>(name, options)?;
        match SearchLimits::try_from(&options) {
            Ok(_) => Ok(()),
            Err(BadOption::Value { what, choose }) => {
                Err(refused(what).help(message!("choose {choose}")))
            }
            Err(bad @ BadOption::File { what, .. }) => Err(explained::<alphabeta::Options>(
                refused(Message::from(&bad)),
                what,
            )),
        }
    } else {
        let OptionsOf { options } = read_options::<reference::Options>(name, options)?;
        reference::bot(name, &options).map_or_else(|bad| Err(refused(bad.into())), |_| Ok(()))
    }
}

/// Adds the option's description to a problem about its value.
fn explained<T: Args>(problem: Problem, key: &str) -> Problem {
    let command = OptionsOf::<T>::command();
    let mut known = command.get_arguments();
    let meant = known.find(|known| known.get_id().as_str() == key.replace('-', "_"));
    match meant.and_then(Arg::get_help) {
        Some(help) => problem.help(message!("{key}: {help}")),
        None => problem,
    }
}

/// Parses every value as the option's type. In an error, the option's help text names the valid values.
fn read_options<T: Args>(name: &str, options: &[BotOption]) -> Result<OptionsOf<T>, Problem> {
    for option in options {
        let written = argument(option);
        if OptionsOf::<T>::try_parse_from([&written]).is_err() {
            let (key, value) = option;
            let problem = problem!("{name} cannot use {key} = {value}");
            return Err(explained::<T>(problem, key));
        }
    }
    OptionsOf::try_parse_from(options.iter().map(argument))
        .map_err(|error| problem!("{name}: {error}"))
}

impl Bot {
    pub fn run(mut self) -> Result<(), CliError> {
        let Some(name) = self.name.take() else {
            return usage::print_help(Bot::augment_args(clap::Command::new("arena bot")));
        };
        if self.help {
            self.options = vec!["--help".to_owned()];
        }
        let (mut bot, setting) = if name == ALPHABETA {
            let CommandLine { options, setting } = self.parse(&name)?;
            (alphabeta::bot(&options).map_err(Problem::new)?, setting)
        } else {
            let CommandLine { options, setting } = self.parse(&name)?;
            let bot = reference::bot(&name, &options).map_err(Problem::new)?;
            (bot, setting)
        };
        let (input, output) = (io::stdin().lock(), io::stdout().lock());
        match speak(&mut *bot, &setting, input, output) {
            Ok(()) => Ok(()),
            Err(NotSpoken::Setting(bad)) => Err(Problem::new(bad).into()),
            Err(NotSpoken::Io(failed)) => Err(failed.into()),
        }
    }

    fn parse<T: Args>(&self, name: &str) -> Result<CommandLine<T>, CliError> {
        match CommandLine::try_parse_from(&self.options) {
            Ok(parsed) => Ok(parsed),
            Err(error) if !error.use_stderr() => {
                usage::explain::<CommandLine<T>, _>(&self.options, &error)
            }
            Err(error) => {
                let what = usage::mistake(&error);
                Err(problem!("{name}: {what}")
                    .help(message!("arena bot {name} --help lists its options"))
                    .into())
            }
        }
    }
}
