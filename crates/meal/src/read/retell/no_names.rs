//! Words that are in no name.

use crate::lexicon::{Role, Roles};

/// Words that no name of a food has, but those that join two.
pub(super) const NO_NAMES: Roles = Roles::of(&[
    Role::With,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Of,
    Role::Denial,
    Role::Number,
    Role::Indefinite,
    Role::Definite,
    Role::Eating,
]);
