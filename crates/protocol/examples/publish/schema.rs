//! JSON Schema of the messages, generated from the types.

use protocol::{ToArena, ToBot};
use schemars::{JsonSchema, schema_for};

pub fn files() -> Vec<(&'static str, String)> {
    vec![
        ("to-bot.schema.json", schema::<ToBot>()),
        ("to-arena.schema.json", schema::<ToArena>()),
    ]
}

fn schema<T: JsonSchema>() -> String {
    let schema = schema_for!(T);
    let text = serde_json::to_string_pretty(&schema).expect("a schema is always JSON");
    text + "\n"
}
