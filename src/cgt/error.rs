//! What can keep a value from being computed.

/// Why a value is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A number left the range of [`Dyadic`](super::Dyadic), or a multiple of up or star its own.
    #[error(
        "a number is out of range: values have numerators up to 2^61, denominators up to 2^60, ups and stars up to 2^30"
    )]
    Range,
    /// The games need more memory than was allowed.
    #[error("the value outgrows the memory for games ({limit} bytes): allow more")]
    Memory {
        /// The bound in bytes.
        limit: u64,
    },
    /// Games so deep that their comparison would not fit the stack.
    #[error("the game is deeper than {limit} moves, which is more than can be compared")]
    Depth {
        /// The greatest depth.
        limit: u32,
    },
    /// Whoever owns the games asked to stop.
    #[error("stopped before the value was known")]
    Interrupted,
    /// A search over a sum grew too large.
    #[error("the winner of the sum is not known after a search of {limit} sums")]
    Search {
        /// The greatest number of sums.
        limit: usize,
    },
    /// The text of a value would be too long.
    #[error("the value has more than {limit} characters as text")]
    LongText {
        /// The greatest length.
        limit: u64,
    },
    /// A text that is no value.
    #[error(transparent)]
    Text(Box<super::ValueTextError>),
    /// Atomic weights are defined for all-small games only.
    #[error("the game is not all-small: it has no atomic weight")]
    NotAllSmall,
    /// Cooling is defined for temperatures from 0.
    #[error("cooling by {found}: expected a temperature of at least 0")]
    Temperature {
        /// The temperature asked for.
        found: super::Dyadic,
    },
}
