//! Messages for users, with values that are filled in, and their translation.
//!
//! [`message!`] makes a [`Message`] with the syntax of `format!`, and `derive(Message)` makes one from an error. A
//! message is independent of the language. With the feature `languages`, [`Lang::render`] renders it.

// The macros write `::message::…` in this crate, too.
extern crate self as message;

mod chinese;
#[cfg(feature = "languages")]
mod lang;
#[cfg(feature = "languages")]
pub mod number;
mod safe;
mod template;
mod value;
#[cfg(feature = "languages")]
pub mod width;

#[cfg(feature = "languages")]
pub use lang::{Lang, all, speak, spoken};
pub use message_macros::{Message, message};
pub use safe::{SafeText, harmless, is_blank, label, shortened, without_numbers};
#[doc(hidden)]
pub use value::by;
pub use value::{Message, ToValue, Value, in_english, in_quotes};
