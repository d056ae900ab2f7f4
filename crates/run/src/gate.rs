//! What is asked before a pair is begun.

use std::fmt;
use std::sync::Arc;

/// Whether another pair may begin; it may where nobody has a say in it.
#[derive(Clone, Default)]
pub(super) struct Gate(Option<Arc<MayBegin>>);

type MayBegin = dyn Fn() -> bool + Send + Sync;

impl Gate {
    pub fn new(may: impl Fn() -> bool + Send + Sync + 'static) -> Gate {
        Gate(Some(Arc::new(may)))
    }

    /// Whether a pair may begin.
    pub fn is_open(&self) -> bool {
        self.0.as_ref().is_none_or(|may| may())
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gate")
    }
}
