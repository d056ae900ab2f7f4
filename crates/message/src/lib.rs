//! What a user reads: messages with values, and the languages that they are rendered in.
//!
//! [`message!`] makes a [`Message`] with the syntax of `format!`, and `derive(Message)` makes one of an error. It is made
//! where the fact is known and knows no language; with the feature `languages`, [`Lang::render`] renders it where it is
//! shown.

// The macros write `::message::…`, here as well.
extern crate self as message;

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
pub use value::{Message, ToValue, Value};
